import { expect, test } from 'vitest'
import type { JsonRecord } from '../../json.ts'
import { planOf, repository } from '../testing/fleet-of-objects.ts'
import { type AskedTarget, askedVariants } from './asked-variants.ts'

const SITES = ['a', 'b', 'c'].map((name) => ({ apiVersion: 'x.org/v1', kind: 'Site', metadata: { name }, spec: { of: `site-${name}` } }))

/**
 * Returns the variants that a matrix of the packages app and web would have for the Repository `b`, which its second target would select,
 * but for its labels.
 */
function askedOf(
  { entry = ['spec', 'targets', 1], object = 'b', ...asked }: { object?: string } & Partial<Omit<AskedTarget, 'object'>>,
  spec: JsonRecord = {},
) {
  const matrix = {
    apiVersion: 'fleet.krm-variants.dev/v1alpha1',
    kind: 'PackageVariantMatrix',
    metadata: { name: 'm' },
    spec: {
      upstreams: [
        { repo: 'catalog', package: 'app', revision: 1, template: { labels: { of: 'app' } } },
        { repo: 'catalog', package: 'web', revision: 2 },
      ],
      targets: [
        { repositories: [{ name: 'c' }], template: { labels: { target: 'first' } } },
        { repositorySelector: { matchLabels: { open: 'yes' } }, template: { labels: { target: 'second' } } },
      ],
      ...spec,
    },
  }
  const { sets, fleet } = planOf([matrix, repository('a', { open: 'yes' }), repository('b'), repository('c'), ...SITES])
  const [plan] = sets
  if (plan?.set === undefined || plan.draft === undefined) throw new Error('must be a matrix without faults')
  const surroundings = { fleet, namespace: 'default', lookups: 'optional' } as const
  const found = fleet.repositories('default').get(object)
  return askedVariants(
    plan.set,
    plan.draft.context,
    surroundings,
  )({ entry, repoDefault: 'b', packageName: undefined, object: found, ...asked })
}

const app = { repo: 'catalog', package: 'app', revision: 1 }
const web = { repo: 'catalog', package: 'web', revision: 2 }

test('a target that is left out would have a variant of each upstream, with the templates of its entry', () => {
  expect(askedOf({}).map(({ spec }) => spec)).toEqual([
    { upstream: app, downstream: { repo: 'b', package: 'app' }, labels: { of: 'app', target: 'second' } },
    { upstream: web, downstream: { repo: 'b', package: 'web' }, labels: { target: 'second' } },
  ])
})

test('a package name of the entry goes before that of the upstream', () => {
  expect(askedOf({ packageName: 'till' }).map(({ package: name }) => name)).toEqual(['till', 'till'])
})

test('a set without the entry asks for nothing', () => {
  expect(askedOf({ entry: ['spec', 'targets', 2] })).toEqual([])
})

test('an excluded target has the variants that it would have without the exclusion', () => {
  const exclude = [{ repositories: [{ name: 'b' }] }]
  expect(askedOf({}, { exclude }).map(({ spec }) => spec.downstream)).toEqual([
    { repo: 'b', package: 'app' },
    { repo: 'b', package: 'web' },
  ])
})

test('the inputs of the target decide its ring, and the ring its revisions', () => {
  const spec = {
    inputs: [{ name: 'site', object: { apiVersion: 'x.org/v1', kind: 'Site', nameExpr: 'target.name' } }],
    rings: [{ name: 'canary', where: "inputs.site.spec.of == 'site-b'", revisions: { app: 7 } }, { name: 'others' }],
    template: { labelExprs: [{ key: 'site', valueExpr: 'inputs.site.spec.of' }] },
    targets: [{ repositorySelector: { matchLabels: { open: 'yes' } } }],
  }
  const ofTarget = (object: string) => askedOf({ entry: ['spec', 'targets', 0], object, repoDefault: object }, spec)
  expect(ofTarget('b').map(({ spec }) => [spec.upstream, spec.labels])).toEqual([
    [
      { ...app, revision: 7 },
      { of: 'app', site: 'site-b' },
    ],
    [web, { site: 'site-b' }],
  ])
  expect(ofTarget('c').map(({ place }) => [place.ring?.name, place.upstream.fields])).toEqual([
    ['others', app],
    ['others', web],
  ])
})
