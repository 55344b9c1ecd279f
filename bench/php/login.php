<?php
// A login as often written by hand: md5, a persistent connection, a token signed with HS256.
$body = json_decode(file_get_contents('php://input'), true);
$database = new mysqli('p:127.0.0.1', $_SERVER['DB_USER'], $_SERVER['DB_PASSWORD'], $_SERVER['DB_NAME'], (int) $_SERVER['DB_PORT']);
$statement = $database->prepare('SELECT id, account, password_hash, token_version FROM player WHERE account_key = ?');
$statement->bind_param('s', $body['account']);
$statement->execute();
$player = $statement->get_result()->fetch_assoc();
header('Content-Type: application/json');
if (!$player || !hash_equals($player['password_hash'], md5($body['password'] . $_SERVER['PASSWORD_KEY']))) {
  http_response_code(401);
  echo '{"code":"invalid_credentials"}';
  exit;
}
$encode = fn(string $text): string => rtrim(strtr(base64_encode($text), '+/', '-_'), '=');
$claims = ['sub' => (string) $player['id'], 'account' => $player['account'], 'ver' => $player['token_version'], 'iat' => time(), 'exp' => time() + 86400];
$signed = $encode('{"alg":"HS256","typ":"JWT"}') . '.' . $encode(json_encode($claims));
$token = $signed . '.' . $encode(hash_hmac('sha256', $signed, $_SERVER['JWT_SECRET'], true));
echo json_encode(['token' => $token, 'account' => $player['account'], 'expires_at' => gmdate('c', $claims['exp'])]);
