<?php
// Records requests and answers of an old PHP service for "gatehouse takeover shadow --log FILE".
// In php.ini or the pool of php-fpm: auto_prepend_file = /etc/gatehouse/record-exchanges.php
// The file holds passwords and tokens. Record for an hour, compare, and delete it.

define('EXCHANGES_FILE', getenv('EXCHANGES_FILE') ?: '/var/lib/php/exchanges.jsonl'); // CHANGE: not below the web root
define('EXCHANGES_PATHS', '#/(login|check|api)(\.php)?(\?|$)#'); // CHANGE: the paths of login and check

if (preg_match(EXCHANGES_PATHS, $_SERVER['REQUEST_URI'])) {
    ob_start();
    register_shutdown_function(function () {
        $line = json_encode(array(
            'request' => array(
                'method' => $_SERVER['REQUEST_METHOD'],
                'url' => $_SERVER['REQUEST_URI'],
                'type' => isset($_SERVER['CONTENT_TYPE']) ? $_SERVER['CONTENT_TYPE'] : '',
                'body' => file_get_contents('php://input'),
            ),
            'answer' => array('status' => http_response_code(), 'body' => ob_get_contents()),
        ), defined('JSON_INVALID_UTF8_SUBSTITUTE') ? JSON_INVALID_UTF8_SUBSTITUTE : 0);
        ob_end_flush();
        umask(0077);
        file_put_contents(EXCHANGES_FILE, $line . "\n", FILE_APPEND | LOCK_EX);
    });
}
