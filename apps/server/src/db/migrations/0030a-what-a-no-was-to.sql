-- Which client's time a therapist said no to, as windows in minutes after midnight: docs/decisions/0169. For refusals
-- from before: the sessions as they are now, or the time that the therapist is away.
alter table call_decline add column said_to jsonb not null default '[]';
update call_decline d set said_to = coalesce(
  case when d.scope = 'session' and d.sessions = '{}' then
    (select jsonb_agg(w.value || '{"client": null}') from jsonb_array_elements(d.away) as w)
  else
    (select jsonb_agg(jsonb_build_object('client', a.client_id,
        'start', extract(epoch from a.starts - d.date::timestamp)::int / 60,
        'end', extract(epoch from a.ends - d.date::timestamp)::int / 60) order by a.starts, a.id)
      from appointment a
      where a.location = d.location and a.starts::date = d.date and a.occupies
        and coalesce(a.parent_id, a.id)::text = any(d.sessions)
        and (a.therapist_id = d.therapist_id or not exists (
          select from appointment own
          where own.location = d.location and own.starts::date = d.date and own.occupies
            and coalesce(own.parent_id, own.id)::text = any(d.sessions) and own.therapist_id = d.therapist_id)))
  end, '[]');
alter table call_decline alter column said_to drop default;
