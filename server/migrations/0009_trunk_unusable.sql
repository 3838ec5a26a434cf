-- Why no call can go over a trunk as it is set (its transport, its host's name, a setting that its dialer refuses); null: nothing is known against it.
alter table trunk_state add unusable text;
