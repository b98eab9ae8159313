import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { type Application, byName, comparedFields, type SetAnswer } from '../../testdata/argocd-sets/answers.ts'
import { recordRun } from '../../testdata/cli/recorded-run.ts'
import { testFolder } from '../../testdata/test-folder.ts'

// answers.json has what the generators of Argo CD make of the sets; e2e/hosts/argocd-sets.test.ts writes it.

const DATA = 'testdata/argocd-sets'

const ANSWERS: Readonly<Record<string, SetAnswer>> = JSON.parse(readFileSync(`${DATA}/answers.json`, 'utf8'))

const SETS: ReadonlyMap<string, string> = new Map(
  parseAllDocuments(readFileSync(`${DATA}/sets.yaml`, 'utf8')).map((set) => [String(set.getIn(['metadata', 'name'])), set.toString()]),
)

test('every set has an answer of Argo CD, and every answer a set', () => {
  expect(Object.keys(ANSWERS)).toEqual([...SETS.keys()])
})

test.each([...SETS])('the Applications of the fleet are those that Argo CD generates: %s', async (name, set) => {
  const root = testFolder()
  cpSync(join(DATA, 'folder'), root, { recursive: true })
  writeFileSync(join(root, 'set.yaml'), set)
  const { exitCode, stderr } = await recordRun(root, ['convert', 'applicationset', 'set.yaml', '--repo', '.', '--out', 'fleet'])
  expect({ exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({ exitCode: 0, stderr: '' })
  const folder = join(root, 'fleet/fleet/argocd')
  const made: readonly Application[] = readdirSync(folder).map((file) => parse(readFileSync(join(folder, file), 'utf8')))
  const wanted = ANSWERS[name]?.applications ?? []
  expect(wanted.length).toBeGreaterThan(0)
  expect(made.toSorted(byName).map(comparedFields)).toEqual(wanted.map(comparedFields))
})
