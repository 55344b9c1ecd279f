import { type TProperties, type TSchema, Type } from 'typebox';

// The fields of the Kubernetes API that the chart uses, with their types; every other field is refused.

const { String: text, Integer: integer, Boolean: boolean } = Type;
const strict = (properties: TProperties) => Type.Object(properties, { additionalProperties: false });
const optional = (properties: TProperties) => withOptional({}, properties);
function withOptional(required: TProperties, more: TProperties) {
  const each = Object.entries(more).map(([field, schema]) => [field, Type.Optional(schema)]);
  return strict({ ...required, ...Object.fromEntries(each) });
}
const literal = (...values: string[]) => Type.Union(values.map((value) => Type.Literal(value)));
const texts = Type.Record(text(), text());
const name = text({ pattern: '^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$', maxLength: 63 });

const metadata = withOptional({ name, labels: texts }, { annotations: texts });
const podMetadata = optional({ labels: texts, annotations: texts });
const labelSelector = strict({ matchLabels: texts });

const probe = strict({
  httpGet: strict({ path: text(), port: text() }),
  periodSeconds: integer(),
  timeoutSeconds: integer(),
  failureThreshold: integer(),
});

const quantities = optional({ cpu: text(), memory: text() });

const container = withOptional(
  { name, image: text({ pattern: '^[\\w./-]+:[\\w.-]+$' }) },
  {
    imagePullPolicy: literal('Always', 'IfNotPresent', 'Never'),
    args: Type.Array(text()),
    ports: Type.Array(strict({ name, containerPort: integer() })),
    envFrom: Type.Array(optional({ configMapRef: strict({ name }), secretRef: strict({ name }) })),
    startupProbe: probe,
    livenessProbe: probe,
    readinessProbe: probe,
    lifecycle: strict({ preStop: strict({ exec: strict({ command: Type.Array(text()) }) }) }),
    resources: optional({ requests: quantities, limits: quantities }),
    securityContext: strict({
      readOnlyRootFilesystem: boolean(),
      allowPrivilegeEscalation: boolean(),
      capabilities: strict({ drop: Type.Array(text()) }),
    }),
    volumeMounts: Type.Array(strict({ name, mountPath: text() })),
  },
);

const podSpec = withOptional(
  { containers: Type.Array(container, { minItems: 1 }) },
  {
    volumes: Type.Array(strict({ name, emptyDir: strict({}) })),
    restartPolicy: literal('Always', 'OnFailure', 'Never'),
    automountServiceAccountToken: boolean(),
    enableServiceLinks: boolean(),
    terminationGracePeriodSeconds: integer(),
    imagePullSecrets: Type.Array(strict({ name })),
    nodeSelector: texts,
    tolerations: Type.Array(
      optional({ key: text(), operator: literal('Exists', 'Equal'), value: text(), effect: text() }),
    ),
    topologySpreadConstraints: Type.Array(
      strict({
        maxSkew: integer(),
        topologyKey: text(),
        whenUnsatisfiable: literal('DoNotSchedule', 'ScheduleAnyway'),
        labelSelector,
      }),
    ),
    securityContext: optional({
      runAsNonRoot: boolean(),
      runAsUser: integer(),
      runAsGroup: integer(),
      fsGroup: integer(),
      seccompProfile: strict({ type: literal('RuntimeDefault', 'Unconfined', 'Localhost') }),
    }),
  },
);

const template = strict({ metadata: podMetadata, spec: podSpec });

const object = (apiVersion: string, kind: string, rest: TProperties) =>
  strict({ apiVersion: Type.Literal(apiVersion), kind: Type.Literal(kind), metadata, ...rest });

/** Schema of each kind of object. */
export const kinds: { readonly [kind: string]: TSchema } = {
  ConfigMap: object('v1', 'ConfigMap', { data: texts }),
  Secret: object('v1', 'Secret', { type: Type.Literal('Opaque'), stringData: texts }),
  Service: object('v1', 'Service', {
    spec: strict({
      type: literal('ClusterIP', 'NodePort', 'LoadBalancer'),
      selector: texts,
      ports: Type.Array(strict({ name, port: integer(), targetPort: text() })),
    }),
  }),
  Deployment: object('apps/v1', 'Deployment', {
    spec: strict({
      replicas: integer(),
      selector: labelSelector,
      strategy: strict({
        type: Type.Literal('RollingUpdate'),
        rollingUpdate: strict({ maxUnavailable: integer(), maxSurge: integer() }),
      }),
      template,
    }),
  }),
  Job: object('batch/v1', 'Job', {
    spec: strict({ backoffLimit: integer(), activeDeadlineSeconds: integer(), template }),
  }),
  PodDisruptionBudget: object('policy/v1', 'PodDisruptionBudget', {
    spec: strict({ maxUnavailable: integer(), selector: labelSelector }),
  }),
  Ingress: object('networking.k8s.io/v1', 'Ingress', {
    spec: withOptional(
      {
        rules: Type.Array(
          strict({
            host: name,
            http: strict({
              paths: Type.Array(
                strict({
                  path: text(),
                  pathType: literal('Exact', 'Prefix', 'ImplementationSpecific'),
                  backend: strict({ service: strict({ name, port: strict({ name }) }) }),
                }),
              ),
            }),
          }),
          { minItems: 1 },
        ),
      },
      { ingressClassName: name, tls: Type.Array(strict({ hosts: Type.Array(name), secretName: name })) },
    ),
  }),
};
