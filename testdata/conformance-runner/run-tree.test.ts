import { mkdirSync, writeFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import type { JsonValue } from '../../src/json.ts'
import { testFolder } from '../test-folder.ts'
import type { Adapter } from './adapter.ts'
import { differByField } from './difference.ts'
import { casesOfList, runFiles, runTree } from './run-tree.ts'

/** An answer of ours is the input; its fields `a` and `b` are meant to differ where the case says so. */
const ECHO: Adapter = {
  folder: 'some/echo',
  cases: casesOfList,
  known: [
    { row: 'row 1', reason: 'meant', holds: ({ meant }) => meant === true, explains: ({ what }) => what === 'answer: a' },
    { row: 'row 2', reason: 'also meant', holds: ({ meant }) => meant === true, explains: ({ what }) => what === 'answer: b' },
    { row: 'row 4', reason: 'demanded', holds: ({ demands }) => demands === true, explains: ({ actual }) => actual === 4, always: true },
    { row: 'row 3', reason: 'broken', holds: ({ breaks }) => breaks === true, explains: () => JSON.parse('{') },
  ],
  run: ({ input, expected }) => {
    if (input === 'throw') throw new Error('broken')
    return differByField('answer', input, expected)
  },
}

let root: string
beforeEach(() => {
  root = testFolder()
})

function write(path: string, content: JsonValue | undefined): void {
  mkdirSync(join(root, path, '..'), { recursive: true })
  writeFileSync(join(root, path), JSON.stringify(content) ?? '')
}

test.each([
  { reason: 'equal', cases: [{ input: 1, expected: 1 }], lines: ['1 of 1 equal'], failed: false },
  {
    reason: 'different, without a name',
    cases: [
      { input: 1, expected: 1 },
      { input: { a: 1 }, expected: { a: 2 } },
    ],
    lines: ['1 of 2 equal', '#1: answer: a: expected 2, got 1'],
    failed: true,
  },
  {
    reason: 'each difference is meant',
    cases: [{ name: 'odd', input: { a: 1, b: 1 }, expected: { a: 2, b: 2 }, meant: true }],
    lines: ['0 of 1 equal, 1 known', 'odd: known, row 1: meant', 'odd: known, row 2: also meant'],
    failed: false,
  },
  {
    reason: 'one of two differences is meant',
    cases: [{ name: 'odd', input: { a: 1, c: 1 }, expected: { a: 2 }, meant: true }],
    lines: ['0 of 1 equal', 'odd: answer: a: expected 2, got 1 (known, row 1)', 'odd: answer: c: expected nothing, got 1'],
    failed: true,
  },
  {
    reason: 'must differ, but equal',
    cases: [{ name: 'odd', input: 1, expected: 1, demands: true }],
    lines: ['0 of 1 equal', 'odd: the difference of row 4: expected "demanded", got nothing'],
    failed: true,
  },
  {
    reason: 'must differ, but by another value',
    cases: [{ name: 'odd', input: 5, expected: 1, demands: true }],
    lines: ['0 of 1 equal', 'odd: answer: expected 1, got 5', 'odd: the difference of row 4: expected "demanded", got nothing'],
    failed: true,
  },
  {
    reason: 'must differ, and does',
    cases: [{ name: 'odd', input: 4, expected: 1, demands: true }],
    lines: ['0 of 1 equal, 1 known', 'odd: known, row 4: demanded'],
    failed: false,
  },
  { reason: 'meant to differ, but equal', cases: [{ input: 1, expected: 1, meant: true }], lines: ['1 of 1 equal'], failed: false },
  {
    reason: 'no map among maps',
    cases: ['x', { input: 1, expected: 1 }],
    lines: ['1 of 2 equal', '#0: a case: expected "a map", got "x"'],
    failed: true,
  },
])('a file with cases: $reason', async ({ cases, lines, failed }) => {
  write('some/echo/a.json', cases)
  const [head, ...details] = lines
  expect(await runTree(root, [ECHO])).toEqual({
    lines: [`some/echo/a.json: ${head}`, ...details.map((line) => `  ${line}`)],
    folders: new Map([['some/echo', { equal: Number.parseInt(head ?? '', 10), cases: cases.length }]]),
    cases: cases.length,
    failed,
  })
})

test.each([
  {
    reason: 'the case',
    bad: { name: 'bad', input: 'throw', meant: true },
    line: /^ {2}bad: the case threw: expected nothing, got "Error: broken/,
  },
  { reason: 'a rule', bad: { name: 'bad', input: 1, expected: 2, breaks: true }, line: /^ {2}bad: a rule threw: .*SyntaxError/ },
])('$reason throws: it fails alone, and the next one is run', async ({ bad, line }) => {
  write('some/echo/a.json', [bad, { input: 1, expected: 1 }])
  const { lines, failed } = await runTree(root, [ECHO])
  expect(lines[0]).toBe('some/echo/a.json: 1 of 2 equal')
  expect(lines.at(-1)).toMatch(line)
  expect(failed).toBe(true)
})

test.each([{ none: [] }, { none: null }, { none: {} }, { none: undefined }])(
  'a file without cases is no failure, a tree without is: %o',
  async ({ none }) => {
    write('some/echo/none.json', none)
    const lines = ['some/echo/none.json: 0 of 0 equal']
    expect(await runTree(root, [ECHO])).toMatchObject({ lines: [...lines, `${root}: no case found`], failed: true })
    write('some/echo/one.json', [{ input: 1, expected: 1 }])
    expect(await runTree(root, [ECHO])).toMatchObject({ lines: [...lines, 'some/echo/one.json: 1 of 1 equal'], failed: false })
  },
)

test.each([
  {
    reason: 'a folder that no adapter is for',
    path: 'other/a.json',
    content: '[]',
    line: /^other\/a\.json: no adapter for this folder$/,
    failed: true,
  },
  {
    reason: 'no JSON',
    path: 'some/echo/b.json',
    content: '[',
    line: /^some\/echo\/b\.json: reading it threw: .*SyntaxError/,
    failed: true,
  },
  {
    reason: 'another format',
    path: 'some/echo/b.json',
    content: '{"a": 1}',
    line: /^some\/echo\/b\.json: reading it threw: .*must be a list/,
    failed: true,
  },
  { reason: 'a text about them', path: 'some/FORMAT.md', content: '# x', line: /^some\/FORMAT\.md: no vectors, not read$/, failed: false },
])('a file that cannot be run is named: $reason', async ({ path, content, line, failed }) => {
  write('some/echo/a.json', [{ input: 1, expected: 1 }])
  write(path, [])
  writeFileSync(join(root, path), content)
  const report = await runTree(root, [ECHO])
  expect(report.lines).toEqual(expect.arrayContaining(['some/echo/a.json: 1 of 1 equal', expect.stringMatching(line)]))
  expect(report.failed).toBe(failed)
})

test.each([
  { part: '', name: 'some/echo/a.json' },
  { part: 'some', name: 'echo/a.json' },
  { part: 'some/echo', name: 'a.json' },
  { part: 'some/echo/a.json', name: 'a.json' },
])('any part of the tree can be run: "$part"', async ({ part, name }) => {
  write('some/echo/a.json', [{ input: 1, expected: 1 }])
  expect(await runTree(join(root, part), [ECHO])).toEqual({
    lines: [`${name}: 1 of 1 equal`],
    folders: new Map([[posix.dirname(name), { equal: 1, cases: 1 }]]),
    cases: 1,
    failed: false,
  })
})

test('integers beyond 2^53 are compared as they are written, and digits in texts are text', async () => {
  write('some/echo/a.json', [])
  const [long, other] = ['9007199254740993', '9007199254740992']
  writeFileSync(join(root, 'some/echo/a.json'), `[{"input": [${long}, "${long}", 1e20], "expected": [${other}, "${long}", 1e20]}]`)
  expect((await runTree(root, [ECHO])).lines[1]).toBe(`  #0: answer: [0]: expected "${other}n", got "${long}n"`)
})

test('files need not come from a tree', async () => {
  const file = { name: 'some/echo/a.json', path: 'some/echo/a.json', read: () => [{ input: 1, expected: 1 }] }
  expect((await runFiles([file], [ECHO])).lines).toEqual(['some/echo/a.json: 1 of 1 equal'])
})
