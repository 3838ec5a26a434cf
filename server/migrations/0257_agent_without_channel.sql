-- The agent may have been free, and no channel was. Calls that ended before this migration say notFree for both.
alter type agent_missed add value 'noChannel' before 'notFree';
