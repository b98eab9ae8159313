import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { testFolder } from '../../testdata/test-folder.ts'
import { writeFolder } from './write-files.ts'

const LEFT = `a.yaml.${crypto.randomUUID()}.krm-variants-new`

let dir = ''
beforeEach(() => {
  dir = testFolder()
})

function put(path: string): void {
  mkdirSync(dirname(join(dir, path)), { recursive: true })
  writeFileSync(join(dir, path), 'half')
}

function tree(): readonly string[] {
  return readdirSync(dir, { recursive: true }).map(String).sort()
}

test.each([[], [{ path: 'b.yaml', op: 'update', text: 'new\n' } as const]])(
  'what a killed run left goes, wherever it lies, and whatever there is to write',
  (...changes) => {
    for (const path of ['b.yaml', LEFT, `edge/sub/${LEFT}`, 'edge/upf.krm-variants-old/Kptfile', 'edge/upf/a.yaml']) put(path)
    writeFolder(dir, changes)
    expect(tree()).toEqual(['b.yaml', 'edge', 'edge/sub', 'edge/upf', 'edge/upf/a.yaml'])
  },
)

test('nothing goes behind a link, of git, or when nothing can be written', () => {
  const outside = testFolder()
  writeFileSync(join(outside, LEFT), 'theirs')
  symlinkSync(outside, join(dir, 'link'))
  put(`.git/${LEFT}`)
  writeFolder(dir, [])
  expect([readdirSync(outside), readdirSync(join(dir, '.git'))]).toEqual([[LEFT], [LEFT]])
  put(LEFT)
  put('a.yaml')
  expect(() => writeFolder(dir, [{ path: 'a.yaml', op: 'create', text: '' }])).toThrow('exists already')
  expect(tree()).toContain(LEFT)
})
