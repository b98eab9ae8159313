import { describe, expect, inject, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { ApiClient, type Outcome } from './api-client.ts'

const server = inject('apiServer')
const client = 'absent' in server ? undefined : new ApiClient(server)

const MATRIX = `apiVersion: fleet.krm-variants.dev/v1alpha1
kind: PackageVariantMatrix
metadata: {name: base}
spec:
  upstreams: [{repo: catalog, package: tills, revision: 3}]
  targets: [{repositorySelector: {matchLabels: {tier: store}}}]
`
const POLICY = `apiVersion: fleet.krm-variants.dev/v1alpha1
kind: FleetPolicy
metadata: {name: one-ingress}
spec:
  forEach: targets
  validations: [{expression: 'true'}]
`
const REVISIONS = `apiVersion: fleet.krm-variants.dev/v1alpha1
kind: PackageRevisionSet
metadata: {name: observability}
spec:
  upstreams: [{repo: catalog, package: metrics, revision: 1}]
`

/** Applies an object with other fields in its spec. */
async function apply(object: string, spec: Readonly<Record<string, unknown>> = {}): Promise<Outcome | undefined> {
  const written = parse(object)
  const { apiVersion, kind, metadata } = written
  const text = stringify({ ...written, spec: { ...written.spec, ...spec } })
  return client?.apply({ from: 'this test', apiVersion, kind, name: metadata.name, text })
}

// The decoders in src/kinds report the same faults: testdata/fan-out and testdata/check-policies have a golden case for each.
describe.skipIf('absent' in server)('the definitions of our kinds', () => {
  test.each([
    {
      fault: 'a ring without `where` before the last',
      object: MATRIX,
      spec: { rings: [{ name: 'canary' }, { name: 'world' }] },
      says: 'only the last ring',
    },
    {
      fault: 'a ring without `where` beside the last',
      object: MATRIX,
      spec: { rings: [{ name: 'a' }, { name: 'b', where: 'true' }] },
      says: 'only the last ring',
    },
    {
      fault: 'two rings of one name',
      object: MATRIX,
      spec: { rings: [{ name: 'a', where: 'true' }, { name: 'a' }] },
      says: 'duplicate entries for key [name="a"]',
    },
    { fault: 'a ring without a name', object: MATRIX, spec: { rings: [{ where: 'true' }] }, says: 'name' },
    {
      fault: 'a revision 0 in a ring',
      object: MATRIX,
      spec: { rings: [{ name: 'a', revisions: { tills: 0 } }] },
      says: 'greater than or equal to 1',
    },
    {
      fault: 'an unknown field of a ring',
      object: MATRIX,
      spec: { rings: [{ name: 'a', when: 'true' }] },
      says: '.spec.rings[name="a"].when: field not declared',
    },
    {
      fault: 'a target with two selectors',
      object: MATRIX,
      spec: { targets: [{ repositories: [{ name: 'a' }], repositorySelector: {} }] },
      says: 'exactly one of',
    },
    { fault: 'a target without a selector', object: MATRIX, spec: { targets: [{}] }, says: 'exactly one of' },
    { fault: 'an exclusion without a selector', object: MATRIX, spec: { exclude: [{ packages: ['tills'] }] }, says: 'exactly one of' },
    {
      fault: 'an upstream without a package',
      object: MATRIX,
      spec: { upstreams: [{ repo: 'catalog' }] },
      says: "must have 'repo' and 'package'",
    },
    {
      fault: 'an input whose object has no name',
      object: MATRIX,
      spec: { inputs: [{ name: 'region', object: { apiVersion: 'v1', kind: 'ConfigMap' } }] },
      says: "must have 'name' or 'nameExpr'",
    },
    {
      fault: 'an upstream beside a PackageRevisionSet',
      object: REVISIONS,
      spec: { upstreams: [{ repo: 'catalog', packageRevisionSet: 'a' }] },
      says: "'packageRevisionSet' alone",
    },
    { fault: 'a policy of an unknown kind of items', object: POLICY, spec: { forEach: 'clusters' }, says: 'Unsupported value: "clusters"' },
    {
      fault: 'two variables of one name',
      object: POLICY,
      spec: {
        variables: [
          { name: 'a', expression: '1' },
          { name: 'a', expression: '2' },
        ],
      },
      says: 'duplicate entries for key [name="a"]',
    },
  ])('refuse $fault', async ({ object, spec, says }) => {
    expect(await apply(object, spec)).toEqual({ refused: expect.stringContaining(says) })
  })

  test.each([MATRIX, POLICY, REVISIONS])('take a valid object', async (object) => {
    expect(await apply(object)).toEqual({ applied: expect.objectContaining({ kind: parse(object).kind }) })
  })

  test('take rings whose last has no `where`', async () => {
    const rings = [{ name: 'canary', where: 'true', revisions: { tills: 4 } }, { name: 'world' }]
    expect(await apply(MATRIX, { rings })).toEqual({ applied: expect.objectContaining({ spec: expect.objectContaining({ rings }) }) })
  })

  test('have the defaults of a matrix, and none in its templates, which lie over each other', async () => {
    const inputs = [{ name: 'region', object: { apiVersion: 'v1', kind: 'ConfigMap', nameExpr: 'target.name' } }]
    expect(await apply(MATRIX, { inputs, template: {} })).toMatchObject({
      applied: { spec: { maxVariants: 10000, inputs: [{ optional: false }], template: {} } },
    })
    expect(await apply(MATRIX, { template: {} })).not.toMatchObject({ applied: { spec: { template: { deletionPolicy: 'delete' } } } })
  })

  test('have the defaults of a policy', async () => {
    expect(await apply(POLICY)).toMatchObject({ applied: { spec: { validations: [{ severity: 'error' }] } } })
  })
})
