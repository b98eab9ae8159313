import { expect, test } from 'vitest'
import { isRecord, type JsonRecord, type JsonValue } from '../../../json.ts'
import { decodeRender, encodeRender, type RecordedRender } from './recorded-render.ts'

const DIGEST = '0123456789abcdef0123456789abcdef'

const RENDER: RecordedRender = {
  packages: new Map([['site-1/web', { inputs: DIGEST, files: DIGEST }]]),
  upstreams: new Map([['catalog /web v1', DIGEST]]),
  run: {
    request: 'a',
    places: [['/catalog', '/disk/catalog']],
    others: DIGEST,
    git: [{ repository: 'https://git.example.com/a.git', names: ['v1', 'v2'], commits: [DIGEST, null] }],
    trusted: ['https://git.example.com/a.git'],
    fates: [['unchanged', 24]],
    results: [
      {
        severity: 'warning',
        message: '`spec.revision` must be set',
        resourceRef: { apiVersion: 'v1', kind: 'ConfigMap', name: 'web', namespace: 'fleet' },
        field: { path: ['spec', 'targets', 0], currentValue: [1, { a: null }], proposedValue: 'v1' },
        file: { path: 'set.yaml', index: 0 },
        position: { line: 3, column: 1 },
        proposedKey: 'revision',
        tags: { rule: 'required', ring: 'first' },
      },
      { severity: 'info', message: 'a note', tags: { rule: 'render-variants' } },
    ],
  },
}

/** Returns the JSON text of the record as a value. */
function written(render: RecordedRender): JsonRecord {
  return JSON.parse(JSON.stringify(encodeRender(render)))
}

test('a record is decoded as it was encoded, with and without a run', () => {
  expect(decodeRender(written(RENDER))).toEqual(RENDER)
  const { packages } = RENDER
  expect(decodeRender(written({ packages, upstreams: new Map() }))).toEqual({ packages, upstreams: new Map() })
})

/** Maps with keys of any name, and values of any form. */
const OPEN = ['$.packages', '$.upstreams', '$.run.results.0.tags', '$.run.results.1.tags']
const FREE = '$.run.results.0.field.'

/** Returns every copy of a value with one fault: one value of another type, an unknown key, a list of another length. */
function faulty(value: JsonValue, path = '$'): (readonly [string, JsonValue])[] {
  if (path.startsWith(`${FREE}currentValue`) || path.startsWith(`${FREE}proposedValue`)) return []
  const other: [string, JsonValue][] = [[`${path} of another type`, typeof value === 'boolean' ? 1 : true]]
  if (Array.isArray(value)) {
    const within = value.flatMap((item, i) => faulty(item, `${path}.${i}`).map(([name, each]) => [name, value.with(i, each)] as const))
    return [...other, ...within]
  }
  if (!isRecord(value)) return other
  const within = Object.entries(value).flatMap(([key, item]) =>
    faulty(item, `${path}.${key}`).map(([name, each]) => [name, { ...value, [key]: each }] as const),
  )
  return [...other, ...(OPEN.includes(path) ? [] : [[`${path} with an unknown key`, { ...value, more: 1 }] as const]), ...within]
}

const FAULTY = faulty(written(RENDER)).flatMap(([name, value]) => (isRecord(value) ? [[name, value] as const] : []))

test.each(FAULTY)('a record with %s is dropped', (_, record) => {
  expect(decodeRender(record)).toBeUndefined()
})

const WRONG: readonly (readonly [string, string, string])[] = [
  ['a digest of other letters', DIGEST, 'x'.repeat(32)],
  ['three digests of a package', `${DIGEST} ${DIGEST}`, `${DIGEST} ${DIGEST} ${DIGEST}`],
  ['a place without its real path', ',"/disk/catalog"', ''],
  ['a fate of another name', '"unchanged"', '"lost"'],
  ['a count below zero', '24', '-1'],
  ['a severity of another name', '"warning"', '"fatal"'],
  ['a result without a rule', '"rule":"render-variants"', '"rules":"note"'],
  ['a position before the first line', '"line":3', '"line":0'],
  ['another form', '"form":1', '"form":2'],
  ['no form', '"form":1,', ''],
  ['no packages', '"packages"', '"run2"'],
]

test.each(WRONG)('a record with %s is dropped', (_, from, to) => {
  const text = JSON.stringify(encodeRender(RENDER))
  expect(text).toContain(from)
  expect(decodeRender(JSON.parse(text.replace(from, to)))).toBeUndefined()
})
