-- Which row of an export an appointment came of: an import asks this of the appointments on its dates, and must not read
-- every row that was ever imported to find out.
create index import_row_appointment on import_row (target_id) where kind = 'appointment';
