<?php
require 'common.php';

$member = find_member(input('account'));
if (!$member || strtolower($member['password']) !== strtolower(input('token'))) {
    answer(1, 'token error');
}
answer(0, 'ok', array('account' => $member['username']));
