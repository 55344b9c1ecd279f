<?php
require 'common.php';

$member = find_member(input('account'));
if (!$member || strtolower($member['password']) !== password_of(input('password'))) {
    answer(1, '账号或密码错误');
}
$db->query('update members set logins = logins + 1, lasttime = now(), lastip = ' . quoted(client_ip())
    . ' where uid = ' . $member['uid']);
answer(0, 'ok', array('account' => $member['username'], 'token' => strtolower($member['password'])));
