<?php
require 'common.php';

$servers = array();
$result = $db->query('select id, name, ip, port, state from servers order by id');
while ($row = $result->fetch_assoc()) {
    $servers[] = $row;
}
answer(0, 'ok', array('servers' => $servers));
