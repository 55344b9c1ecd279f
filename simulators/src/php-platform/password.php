<?php
require 'common.php';

$member = find_member(input('account'));
if (!$member || strtolower($member['password']) !== password_of(input('old_password'))) {
    answer(1, '账号或密码错误');
}
$db->query('update members set password = ' . quoted(password_of(input('password'))) . ' where uid = ' . $member['uid']);
answer(0, 'ok', array('token' => password_of(input('password'))));
