-- What became of a message of our own text, in the words of messages after calls (contract/src/after-call.ts).
create function after_call_state(state sms_state) returns text language sql immutable parallel safe as $$
  select case state when 'fresh' then 'waiting' when 'submitted' then 'sent' when 'expired' then 'cancelled' when 'dnd' then 'cancelled' when 'unreachable' then 'failed' else state::text end
$$;
