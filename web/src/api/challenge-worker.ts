import 'altcha-lib/v1/worker';
