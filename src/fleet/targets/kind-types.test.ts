import { expect, test } from 'vitest'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { schemaOfKind } from './kind-types.ts'

const SCHEMA = { type: 'object' }
const V1 = { name: 'v1', schema: { openAPIV3Schema: SCHEMA } }

function definition(spec: object): KrmObject {
  const object = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: 'regions' }, spec }
  return KrmObject.fromDocument(JSON.stringify(object), { path: 'crd.yaml', index: 0, line: 1 })
}

const NAMES = { group: 'example.com', names: { kind: 'Region' } }

test.each([
  { reason: 'the schema of the version', specs: [{ ...NAMES, versions: [{ name: 'v2', schema: {} }, V1] }], schema: SCHEMA },
  {
    reason: 'one schema for all versions',
    specs: [{ ...NAMES, versions: [{ name: 'v1' }], validation: { openAPIV3Schema: SCHEMA } }],
    schema: SCHEMA,
  },
  {
    reason: 'the same twice',
    specs: [
      { ...NAMES, versions: [V1] },
      { ...NAMES, versions: [V1] },
    ],
    schema: SCHEMA,
  },
  {
    reason: 'nothing if two differ',
    specs: [
      { ...NAMES, versions: [V1] },
      { ...NAMES, versions: [{ name: 'v1', schema: { openAPIV3Schema: {} } }] },
    ],
    schema: undefined,
  },
  { reason: 'nothing of another version', specs: [{ ...NAMES, versions: [{ ...V1, name: 'v2' }] }], schema: undefined },
  { reason: 'nothing of another kind', specs: [{ ...NAMES, names: { kind: 'Site' }, versions: [V1] }], schema: undefined },
  { reason: 'nothing of another group', specs: [{ ...NAMES, group: 'other.com', versions: [V1] }], schema: undefined },
  { reason: 'nothing if unknown fields are kept', specs: [{ ...NAMES, preserveUnknownFields: true, versions: [V1] }], schema: undefined },
  { reason: 'nothing of a broken definition', specs: [{ ...NAMES, versions: 'v1' }, {}], schema: undefined },
])('definitions have $reason', ({ specs, schema }) => {
  expect(schemaOfKind(specs.map(definition), 'example.com/v1', 'Region')).toEqual(schema)
})
