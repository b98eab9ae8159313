import { expect, test } from 'vitest'
import type { JsonValue } from '../json.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { repeatedEntries } from './unique-entries.ts'

/** Returns the findings of an object, each as FIELD VALUE FIRST. */
function repeats(apiVersion: string, kind: string, spec: JsonValue): readonly string[] {
  const object = KrmObject.fromDocument(JSON.stringify({ apiVersion, kind, metadata: { name: 'a' }, spec }))
  return repeatedEntries(object).map(({ message, severity, tags }) => {
    const [, field, value, first] =
      /^`(.*)` must be of one entry only, is (.*) as `(.*)`; the API server refuses the object$/.exec(message) ?? []
    return `${severity} ${tags.rule} ${field} ${value} ${first}`
  })
}

const pods = (pod: JsonValue) => repeats('apps/v1', 'Deployment', { template: { spec: pod } })
const IN_POD = 'warning repeated-entry spec.template.spec'

test.each<readonly [what: string, found: readonly string[], expected: readonly string[]]>([
  [
    'ports of a Service with one name',
    repeats('v1', 'Service', {
      ports: [
        { name: 'http', port: 80 },
        { name: 'b', port: 81 },
        { name: 'http', port: 8080 },
      ],
    }),
    ["warning repeated-entry spec.ports[2].name 'http' spec.ports[0].name"],
  ],
  [
    'three of them, each but the first',
    repeats('v1', 'Service', { ports: [{ name: 'a' }, { name: 'a' }, { name: 'a' }] }),
    [
      "warning repeated-entry spec.ports[1].name 'a' spec.ports[0].name",
      "warning repeated-entry spec.ports[2].name 'a' spec.ports[0].name",
    ],
  ],
  [
    'a container with the name of an init container',
    pods({ containers: [{ name: 'app' }, { name: 'wait' }], initContainers: [{ name: 'wait' }] }),
    [`${IN_POD}.containers[1].name 'wait' spec.template.spec.initContainers[0].name`],
  ],
  ['volumes', pods({ volumes: [{ name: 'a' }, { name: 'a' }] }), [`${IN_POD}.volumes[1].name 'a' spec.template.spec.volumes[0].name`]],
  [
    'ports of a container',
    pods({
      containers: [
        {
          name: 'app',
          ports: [
            { name: 'a', containerPort: 1 },
            { name: 'a', containerPort: 2 },
          ],
        },
      ],
    }),
    [`${IN_POD}.containers[0].ports[1].name 'a' spec.template.spec.containers[0].ports[0].name`],
  ],
  [
    'mounts and devices at one path',
    pods({
      initContainers: [{ name: 'app', volumeMounts: [{ mountPath: '/a' }, { mountPath: '/b' }], volumeDevices: [{ devicePath: '/b' }] }],
    }),
    [`${IN_POD}.initContainers[0].volumeDevices[0].devicePath '/b' spec.template.spec.initContainers[0].volumeMounts[1].mountPath`],
  ],
  [
    'those of the pods of a CronJob',
    repeats('batch/v1', 'CronJob', { jobTemplate: { spec: { template: { spec: { volumes: [{ name: 'a' }, { name: 'a' }] } } } } }),
    ["warning repeated-entry spec.jobTemplate.spec.template.spec.volumes[1].name 'a' spec.jobTemplate.spec.template.spec.volumes[0].name"],
  ],
])('of %s the API server takes one', (_, found, expected) => {
  expect(found).toEqual(expected)
})

test.each<readonly [what: string, found: readonly string[]]>([
  [
    'names in two containers',
    pods({ containers: ['a', 'b'].map((name) => ({ name, ports: [{ name: 'http' }], volumeMounts: [{ mountPath: '/' }] })) }),
  ],
  ['entries without a name', repeats('v1', 'Service', { ports: [{ port: 80 }, { port: 81 }] })],
  ['variables, of which the last counts', pods({ containers: [{ name: 'a', env: [{ name: 'A' }, { name: 'A' }] }] })],
  ['the kind of another group', repeats('serving.knative.dev/v1', 'Service', { ports: [{ name: 'a' }, { name: 'a' }] })],
  ['what is no list', repeats('v1', 'Service', { ports: 'none' })],
])('%s may repeat', (_, found) => {
  expect(found).toEqual([])
})

test('an object with an alias that cannot be read has no repeated entries', () => {
  const text = 'apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: &a\n  ports: [{name: a}, {name: a}, *a]\n'
  expect(() => KrmObject.fromDocument(text).get(['spec'])).toThrow('the alias *a is not expanded')
  expect(repeatedEntries(KrmObject.fromDocument(text))).toEqual([])
})
