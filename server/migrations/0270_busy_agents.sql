-- An agent whose telephone was engaged, also when rung once more (docs/adr/79). Calls that ended before say notReached.
alter type agent_missed add value 'busy';
