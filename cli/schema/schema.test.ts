import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { recordRun } from '../../testdata/cli/recorded-run.ts'
import { testFolder } from '../../testdata/test-folder.ts'

const PUBLISHED = fileURLToPath(new URL('../../schemas', import.meta.url))

async function run(folder: string, ...args: readonly string[]): Promise<string> {
  return (await recordRun(folder, args)).stdout
}

const published = readdirSync(PUBLISHED)
  .filter((file) => file.endsWith('.json'))
  .map((file) => ({ file, text: readFileSync(join(PUBLISHED, file), 'utf8') }))

test.each(published)('schemas/$file is what the tool prints for its kind', async ({ text }) => {
  const { title }: { title: string } = JSON.parse(text)
  expect(await run('.', 'schema', title)).toBe(text)
})

test('--write writes every published file', async () => {
  const folder = testFolder()
  await run(folder, 'schema', '--write', 'schemas')
  expect(published.map(({ file }) => ({ file, text: readFileSync(join(folder, 'schemas', file), 'utf8') }))).toEqual(published)
})

test('without a kind it prints all of them', async () => {
  const all: readonly { title: string }[] = JSON.parse(await run('.', 'schema'))
  expect(all.map(({ title }) => title)).toEqual(expect.arrayContaining(published.map(({ text }) => JSON.parse(text).title)))
})
