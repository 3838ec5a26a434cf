-- Why an attempt whose caller asked for an agent has no conversation: none was free (in another call, or no channel), he did not answer, or no
-- money was left for his leg. Null: he was talked to, or nobody asked for one; before this migration nobody knows.
create type agent_missed as enum ('notFree', 'notReached', 'noMoney');
alter table attempt add agent_missed agent_missed;
