<?php
error_reporting(E_ALL & ~E_NOTICE);
define('PASSWORD_KEY', getenv('PASSWORD_KEY'));

$db = new mysqli(getenv('DB_HOST'), getenv('DB_USER'), getenv('DB_PASSWORD'), getenv('DB_NAME'), (int) getenv('DB_PORT'));
$db->set_charset('utf8');

// Forms and query strings of old pages, JSON of newer ones.
function input($name)
{
    static $json = null;
    if (isset($_REQUEST[$name])) {
        return trim($_REQUEST[$name]);
    }
    if ($json === null) {
        $json = json_decode(file_get_contents('php://input'), true);
    }
    return isset($json[$name]) ? trim($json[$name]) : '';
}

function quoted($text)
{
    global $db;
    return "'" . $db->real_escape_string($text) . "'";
}

function password_of($password)
{
    return md5($password . PASSWORD_KEY);
}

function find_member($account)
{
    global $db;
    return $db->query('select * from members where username = ' . quoted($account))->fetch_assoc();
}

function answer($code, $msg, $data = array())
{
    header('Content-Type: application/json; charset=utf-8');
    exit(json_encode(array('code' => $code, 'msg' => $msg) + $data));
}

function client_ip()
{
    return isset($_SERVER['HTTP_X_FORWARDED_FOR']) ? trim(explode(',', $_SERVER['HTTP_X_FORWARDED_FOR'])[0]) : $_SERVER['REMOTE_ADDR'];
}
