import type { DatabaseServer, Environment } from './environment.ts';
import type { Options } from './options.ts';
import type { Finding } from './report.ts';

export interface MeasurementContext {
  readonly environment: Environment;
  readonly server: DatabaseServer;
  readonly options: Options;
}

export interface Measurement {
  readonly name: string;
  run(context: MeasurementContext): Promise<Finding[]>;
}
