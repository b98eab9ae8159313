import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const glossary = readFileSync(join(ROOT, 'GLOSSARY.md'), 'utf8')

/** Returns the folders that export each name: `Fault` → src/schema, src/cel. Generated files and tests export nothing that counts. */
function exportingRooms(): ReadonlyMap<string, readonly string[]> {
  const files = execFileSync('git', ['ls-files', 'src/*.ts', 'cli/*.ts', 'functions/*.ts', 'sdk/*.ts', 'page/*.ts'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  const rooms = new Map<string, string[]>()
  for (const file of files.split('\n').filter((each) => each !== '' && !each.endsWith('.test.ts'))) {
    const text = readFileSync(join(ROOT, file), 'utf8')
    for (const [, name = ''] of text.matchAll(/^export (?:async )?(?:const|function\*?|class|interface|type) (\w+)/gm)) {
      rooms.set(name, [...(rooms.get(name) ?? []), dirname(file)])
    }
  }
  return rooms
}

test('a name that two rooms export is one that the glossary lists', () => {
  const listed = new Set(Array.from(glossary.matchAll(/^\| `(\w+)` \| .* \| .* \|$/gm), ([, name]) => name))
  const shared = [...exportingRooms()].flatMap(([name, rooms]) => (rooms.length > 1 ? [name] : []))
  expect(shared.filter((name) => !listed.has(name))).toEqual([])
  expect([...listed].filter((name) => !shared.includes(name ?? ''))).toEqual([])
})

test('the glossary has each term once', () => {
  const terms = Array.from(glossary.matchAll(/^\* \*\*(.+?)\*\*: /gm), ([, term = '']) => term)
  expect(terms.length).toBeGreaterThan(50)
  expect(new Set(terms).size).toBe(terms.length)
})
