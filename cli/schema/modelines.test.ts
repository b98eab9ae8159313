import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { recordRun } from '../../testdata/cli/recorded-run.ts'
import { testFolder } from '../../testdata/test-folder.ts'

const FAN_OUT = 'apiVersion: fn.krm-variants.dev/v1alpha1\nkind: FanOut\nmetadata: {name: a}\n'
const CONFIG_MAP = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\n'
const LINE = '# yaml-language-server: $schema=../.schemas/fan-out.json\n'

let folder = ''
beforeEach(() => {
  folder = testFolder()
})

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

const read = (path: string) => readFileSync(join(folder, path), 'utf8')
const run = (...args: readonly string[]) => recordRun(folder, ['schema', '--write', '.schemas', '--into', 'fleet', ...args])

test.each([
  { what: 'a file', before: FAN_OUT, after: LINE + FAN_OUT },
  { what: 'a file with a licence', before: `# Ours.\n\n---\n${FAN_OUT}`, after: `${LINE}# Ours.\n\n---\n${FAN_OUT}` },
  { what: 'a file of two documents', before: `${FAN_OUT}---\n${FAN_OUT}`, after: `${LINE}${FAN_OUT}---\n${FAN_OUT}` },
  {
    what: 'a file with a byte order mark and CRLF',
    before: `\uFEFF${FAN_OUT}`.replaceAll('\n', '\r\n'),
    after: `\uFEFF${LINE}${FAN_OUT}`.replaceAll('\n', '\r\n'),
  },
  {
    what: 'a file that names where the schema was',
    before: `# Ours.\n# yaml-language-server: $schema=old/fan-out.json\n${FAN_OUT}`,
    after: `# Ours.\n${LINE}${FAN_OUT}`,
  },
  { what: 'a file without a last line end', before: FAN_OUT.trimEnd(), after: LINE + FAN_OUT.trimEnd() },
])('$what gets its line, and keeps it', async ({ before, after }) => {
  write('fleet/options.yaml', before)
  expect(await run()).toMatchObject({ stdout: `~ fleet/options.yaml: ${LINE}`, stderr: 'schema: 1 written, 0 as they should be, 0 left\n' })
  expect(read('fleet/options.yaml')).toBe(after)
  expect(await run()).toMatchObject({ stdout: '', stderr: 'schema: 0 written, 1 as they should be, 0 left\n' })
  expect(read('fleet/options.yaml')).toBe(after)
})

test.each([
  { what: 'several kinds', file: 'a.yaml', text: `${FAN_OUT}---\n${CONFIG_MAP}`, why: 'it holds FanOut and ConfigMap' },
  {
    what: 'a schema of its own',
    file: 'a.yaml',
    text: `# yaml-language-server: $schema=https://example.com/mine.json\n${FAN_OUT}`,
    why: "it names another schema, 'https://example.com/mine.json'",
  },
  {
    what: 'JSON',
    file: 'a.json',
    text: '{"apiVersion": "fn.krm-variants.dev/v1alpha1", "kind": "FanOut", "metadata": {"name": "a"}}\n',
    why: 'JSON has no comments',
  },
])('a file with $what is left, and that is said', async ({ file, text, why }) => {
  write(`fleet/${file}`, text)
  expect(await run()).toMatchObject({
    stdout: '',
    stderr: `fleet/${file}: left as it is: ${why}\nschema: 0 written, 0 as they should be, 1 left\n`,
    exitCode: 0,
  })
  expect(read(`fleet/${file}`)).toBe(text)
})

test('a file of another kind, of another version of a kind, or of a kind that is not asked for is left alone', async () => {
  const texts = { 'fleet/a.yaml': CONFIG_MAP, 'fleet/b.yaml': FAN_OUT.replace('v1alpha1', 'v1'), 'fleet/c.yaml': FAN_OUT }
  for (const [path, text] of Object.entries(texts)) write(path, text)
  expect(await run('PackageVariant')).toMatchObject({ stdout: '', stderr: 'schema: 0 written, 0 as they should be, 0 left\n' })
  expect(Object.keys(texts).map(read)).toEqual(Object.values(texts))
})

test('a folder whose name has a blank is nothing that the line can name', async () => {
  write('fleet/a.yaml', FAN_OUT)
  const { stderr } = await recordRun(folder, ['schema', '--write', 'our schemas', '--into', 'fleet'])
  expect(stderr).toContain("left as it is: the line takes no blanks, and the schema is at '../our schemas/fan-out.json'")
})

test('nothing is written when a file cannot be read', async () => {
  write('fleet/a.yaml', FAN_OUT)
  write('fleet/b.yaml', 'a: [1\n')
  const { stderr, exitCode } = await run()
  expect({ exitCode, text: read('fleet/a.yaml'), schemas: existsSync(join(folder, '.schemas')) }).toEqual({
    exitCode: 1,
    text: FAN_OUT,
    schemas: false,
  })
  expect(stderr).toContain('fleet/b.yaml:')
})
