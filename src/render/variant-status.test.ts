import { expect, test } from 'vitest'
import type { JsonRecord } from '../json.ts'
import { variantsOf } from '../lifecycle/testing/places-of.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { type VariantState, writeVariantStatus } from './variant-status.ts'

const NOT_ADOPTED = 'a package that this variant did not make is at its downstream, and adoptionPolicy is not adoptExisting'
const FAILED = 'the functions of the package failed, or the package cannot be made'
const NEW = '1970-01-01T00:00:00Z'

/** Returns the variant of edge/shop with a status, and its text before and after a run. */
function after(state: VariantState, status?: JsonRecord): KrmObject {
  const [variant] = variantsOf('edge/shop')
  if (variant === undefined) throw new Error('one variant')
  const value = { kind: 'PackageVariant', metadata: { name: 'edge-shop' }, ...(status && { status }) }
  const object = KrmObject.fromDocument(JSON.stringify(value)).draft()
  writeVariantStatus({ object, downstream: variant.downstream }, state)
  return object
}

function condition(type: string, status: string, reason: string, message: string, lastTransitionTime = NEW): JsonRecord {
  return { type, status, lastTransitionTime, reason, message }
}

const READY = [
  condition('Stalled', 'False', 'Valid', 'all validation checks passed'),
  condition('Ready', 'True', 'NoErrors', 'successfully ensured downstream package variant'),
]

test.each<[VariantState, JsonRecord]>([
  ['ready', { conditions: READY, downstreamTargets: [{ name: 'edge/shop' }] }],
  [
    'left',
    { conditions: [condition('Stalled', 'True', 'NotAdopted', NOT_ADOPTED), condition('Ready', 'False', 'NotAdopted', NOT_ADOPTED)] },
  ],
  [
    'failed',
    { conditions: [condition('Stalled', 'True', 'UnexpectedError', FAILED), condition('Ready', 'False', 'UnexpectedError', FAILED)] },
  ],
])('a variant that is %s gets the conditions of Porch, and its target if it has one', (state, status) => {
  expect(after(state).get(['status'])).toEqual(status)
})

test.each<[VariantState, readonly JsonRecord[]]>([
  ['ready', [{ name: 'edge/shop' }]],
  ['left', []],
  ['failed', [{ name: 'old/shop' }]],
])('the former target of a variant that is %s becomes %j', (state, targets) => {
  expect(after(state, { downstreamTargets: [{ name: 'old/shop' }] }).get(['status', 'downstreamTargets'])).toEqual(targets)
})

test('a status that is as it should be stays in its own words', () => {
  const conditions = READY.map((each) => ({ ...each, lastTransitionTime: '2024-05-05T00:00:00Z' }))
  const status = { conditions, downstreamTargets: [{ name: 'edge/shop' }] }
  const value = { kind: 'PackageVariant', metadata: { name: 'edge-shop' }, status }
  expect(after('ready', status).toText()).toBe(JSON.stringify(value))
})
