import { expect, test } from 'vitest'
import { writtenObject } from '../../testdata/written-objects.ts'
import type { JsonRecord } from '../json.ts'
import { statusByHand, withoutRendering } from './rendering.ts'

const RENDERED = { type: 'Rendered', status: 'True' }
const OWN = { type: 'Ready', status: 'True' }

test.each<{ rule: string; status: JsonRecord; own: JsonRecord }>([
  { rule: 'a status without marks of a render is unchanged', status: { conditions: [OWN], a: 1 }, own: { conditions: [OWN], a: 1 } },
  { rule: 'the render status is left out', status: { renderStatus: {}, a: 1 }, own: { a: 1 } },
  { rule: 'the condition Rendered is left out', status: { conditions: [RENDERED, OWN] }, own: { conditions: [OWN] } },
  { rule: 'conditions that end up empty are left out', status: { conditions: [RENDERED], a: 1 }, own: { a: 1 } },
  { rule: 'conditions that are no list stay', status: { renderStatus: {}, conditions: 'x' }, own: { conditions: 'x' } },
  { rule: 'conditions that are no maps stay', status: { renderStatus: {}, conditions: ['Rendered'] }, own: { conditions: ['Rendered'] } },
  { rule: 'an empty list stays where no render left a mark', status: { conditions: [] }, own: { conditions: [] } },
])('$rule', ({ status, own }) => {
  const found = statusByHand(status)
  expect(found).toEqual(own)
  expect(found === status).toBe(JSON.stringify(own) === JSON.stringify(status))
})

const HEAD = 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: a\n'

test.each([
  { rule: 'a status of a render alone is removed', status: 'status:\n  renderStatus: {}\n', after: '' },
  { rule: 'a status of people stays', status: 'status:\n  a: 1\n', after: 'status:\n  a: 1\n' },
  {
    rule: 'the other parts of a status stay with their lines',
    status: 'status:\n  a: 1 # ours\n  conditions:\n  - type: Rendered\n  - type: Ready\n',
    after: 'status:\n  a: 1 # ours\n  conditions:\n  - type: Ready\n',
  },
  { rule: 'a Kptfile without a status is unchanged', status: '', after: '' },
  { rule: 'a status that is no map is unchanged', status: 'status: x\n', after: 'status: x\n' },
])('$rule', ({ status, after }) => {
  const given = writtenObject(`${HEAD}${status}`)
  const [found] = withoutRendering([{ object: given, from: 'ours' }])
  expect(typeof found === 'object' && found.object.toText()).toBe(`${HEAD}${after}`)
  expect(typeof found === 'object' && found.from).toBe('ours')
  expect(given.toText()).toBe(`${HEAD}${status}`)
  expect(typeof found === 'object' && found.object === given).toBe(status === after)
})

test('bytes are unchanged', () => {
  const bytes = new Uint8Array([1])
  expect(withoutRendering(bytes)).toBe(bytes)
})
