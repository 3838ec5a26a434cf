-- What only some operators ask for of a trunk, as contract/src/sip-options.ts reads it (ADR 38). What is not in it is as on a plain trunk.
alter table trunk add sip_options jsonb not null default '{}' check (jsonb_typeof(sip_options) = 'object');
