import fc from 'fast-check'
import { expect, test } from 'vitest'
import { equalJson, type JsonRecord } from '../../json.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { ObjectPattern } from '../../resource-list/object-pattern.ts'
import { ResourceList } from '../../resource-list/resource-list.ts'
import { DEFAULT_OPTIONS } from '../options.ts'
import { planFanOut } from '../plan-fan-out.ts'
import { patternTexts } from './spec-pattern.ts'

const KEY = fc.constantFrom('a', 'b', 'c.d/e')
const TEXT = fc.constantFrom('x', 'yes', '1', 'two words')
const EXPRESSION = fc.constantFrom("'v-' + repoDefault", 'target.repo', "'yes'", "packageDefault + ' # x'", 'missing', 'target.nothing')
const KEY_EXPRESSION = fc.constantFrom("'a'", "'z-' + repoDefault")
const entries = (name: 'key' | 'keyExpr') =>
  fc
    .tuple(name === 'key' ? KEY : KEY_EXPRESSION, fc.oneof(fc.record({ value: TEXT }), fc.record({ valueExpr: EXPRESSION })))
    .map(([key, value]) => ({ [name]: key, ...value }))
const ENTRIES = fc.array(fc.oneof({ weight: 8, arbitrary: entries('key') }, { weight: 1, arbitrary: entries('keyExpr') }), { maxLength: 3 })
const FIXED = fc.dictionary(KEY, TEXT, { maxKeys: 2 })
const optional = { requiredKeys: [] }

const TEMPLATE = fc.record(
  {
    downstream: fc.oneof(
      fc.constant({}),
      fc.constant({ packageExpr: "'p-' + repoDefault" }),
      fc.constant({ repoExpr: "'r-' + repoDefault" }),
      fc.constant({ repo: 'one', package: 'one' }),
    ),
    adoptionPolicy: fc.constantFrom('adoptExisting', 'adoptNone'),
    labels: FIXED,
    labelExprs: ENTRIES,
    annotations: FIXED,
    annotationExprs: ENTRIES,
    packageContext: fc.record(
      {
        data: FIXED,
        dataExprs: ENTRIES,
        removeKeys: fc.array(KEY, { maxLength: 2 }),
        removeKeyExprs: fc.array(EXPRESSION, { maxLength: 1 }),
      },
      optional,
    ),
    injectors: fc.array(fc.oneof(fc.record({ name: TEXT }), fc.record({ nameExpr: EXPRESSION })), { maxLength: 2 }),
    pipeline: fc.record({
      mutators: fc.array(
        fc.record({ image: fc.constant('a:v1'), name: TEXT, configMap: FIXED, configMapExprs: ENTRIES }, { requiredKeys: ['image'] }),
        { maxLength: 2 },
      ),
    }),
  },
  optional,
)

const NORTH_AND_SOUTH = [{ name: 'north' }, { name: 'south' }]

/** Repositories that give two variants of one downstream. */
const TWICE = [...NORTH_AND_SOUTH, { name: 'north' }]

function listOf(template: JsonRecord, repositories = NORTH_AND_SOUTH): ResourceList {
  const upstream = { repo: 'catalog', package: 'app', revision: 1 }
  const targets = [{ repositories, template }]
  const set = {
    apiVersion: 'config.porch.kpt.dev/v1alpha2',
    kind: 'PackageVariantSet',
    metadata: { name: 'fleet' },
    spec: { upstream, targets },
  }
  return ResourceList.of([KrmObject.fromDocument(JSON.stringify(set), { path: 'a.yaml', index: 0, line: 1 })])
}

test('the pattern of a template gives the spec that the template gives, for any template and place', () => {
  let compared = 0
  let open = 0
  fc.assert(
    fc.property(TEMPLATE, (template) => {
      for (const { place: _, ...variant } of renderedOf(listOf(template))) {
        const { pattern, spec, name, texts } = variant
        if (pattern === undefined) open++
        else expect(new ObjectPattern(pattern).objectOf(texts), name).toEqual(spec)
        compared++
      }
    }),
    { numRuns: 400 },
  )
  expect(compared - open).toBeGreaterThan(100)
  expect(open).toBeGreaterThan(10)
})

test('two variants have one spec if all fields of their specs are equal, for any template', () => {
  let same = 0
  fc.assert(
    fc.property(TEMPLATE, (template) => {
      const variants = planFanOut(listOf(template, TWICE), DEFAULT_OPTIONS).sets.flatMap(({ draft }) => draft?.rendered ?? [])
      for (const one of variants)
        for (const other of variants) {
          const isEqual = equalJson(one.spec, other.spec)
          expect(one.hasSpecOf(other)).toBe(isEqual)
          if (isEqual && one !== other) same++
        }
    }),
    { numRuns: 400 },
  )
  expect(same).toBeGreaterThan(100)
})

/** Returns each variant of the sets of a list, also those that have a fault. */
function renderedOf(list: ResourceList) {
  return planFanOut(list, DEFAULT_OPTIONS).sets.flatMap(({ draft }) =>
    (draft?.rendered ?? []).map((variant) => ({
      name: `${variant.repo}/${variant.package}`,
      place: variant.place,
      pattern: variant.pattern?.spec,
      spec: variant.spec,
      texts: patternTexts('name', variant),
    })),
  )
}
