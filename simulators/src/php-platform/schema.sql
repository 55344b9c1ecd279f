CREATE TABLE members (
  uid int unsigned NOT NULL AUTO_INCREMENT,
  username varchar(30) NOT NULL,
  password char(32) NOT NULL,
  mail varchar(60) DEFAULT NULL,
  serverid int NOT NULL DEFAULT 0,
  regip varchar(15) NOT NULL DEFAULT '',
  regtime int unsigned NOT NULL DEFAULT 0,
  lastip varchar(15) NOT NULL DEFAULT '',
  lasttime datetime NOT NULL DEFAULT '0000-00-00 00:00:00',
  logins int unsigned NOT NULL DEFAULT 0,
  PRIMARY KEY (uid),
  UNIQUE KEY username (username)
) ENGINE=InnoDB DEFAULT CHARSET=gbk;

CREATE TABLE servers (
  id int unsigned NOT NULL,
  name varchar(30) NOT NULL,
  ip varchar(60) NOT NULL,
  port int NOT NULL,
  state tinyint NOT NULL DEFAULT 1,
  PRIMARY KEY (id)
) ENGINE=InnoDB DEFAULT CHARSET=gbk;

INSERT INTO servers VALUES (1, '双线一区', '127.0.0.1', 7000, 1), (2, '双线二区', '127.0.0.1', 7001, 1);
