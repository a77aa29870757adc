-- When the last backup and the last import were made, which the metrics say, is found without reading the whole trail.
create index audit_upkeep on audit (action, at) where action in ('backup.made', 'import.applied');
