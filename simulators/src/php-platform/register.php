<?php
require 'common.php';

$account = input('account');
$password = input('password');
if (strlen($account) < 2 || strlen($password) < 6) {
    answer(2, '账号或密码太短');
}
if (find_member($account)) {
    answer(3, '账号已存在');
}
$db->query('insert into members (username, password, mail, serverid, regip, regtime) values ('
    . quoted($account) . ', ' . quoted(password_of($password)) . ', ' . quoted(input('email')) . ', '
    . (int) input('server_id') . ', ' . quoted(client_ip()) . ', unix_timestamp())');
answer(0, 'ok', array('account' => $account, 'token' => password_of($password)));
