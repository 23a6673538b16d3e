int not_yet;
