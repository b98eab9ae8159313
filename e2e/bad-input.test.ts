import { readdirSync } from 'node:fs'
import { describe, test } from 'vitest'
import { bundlePath, ROOT, runProgram } from './run-program.ts'

const HEAD = 'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n'
const CONFIG_MAP = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n'
const ITEM = '- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: a\n'
const DEEP = `${'['.repeat(5000)}${']'.repeat(5000)}`

const REFUSED: readonly { readonly reason: string; readonly input: string | Buffer; readonly found: string; readonly line?: number }[] = [
  { reason: 'empty stdin', input: '', found: 'nothing' },
  { reason: 'white space only', input: ' \n\n', found: 'nothing' },
  { reason: 'comments only', input: '# nothing here\n', found: 'nothing', line: 1 },
  { reason: 'plain text', input: 'hello world\n', found: "'hello world'", line: 1 },
  { reason: 'the page of a proxy', input: '<html><body>504</body></html>\n', found: "'<html>", line: 1 },
  { reason: 'a log line before the list', input: `log: hello\n${HEAD}items:\n${ITEM}`, found: '`log`', line: 1 },
  { reason: 'a list', input: '- a\n- b\n', found: 'a list', line: 1 },
  { reason: 'another kind', input: CONFIG_MAP, found: "'ConfigMap'", line: 2 },
  { reason: 'no kind', input: 'items: []\n', found: 'no `kind`', line: 1 },
  { reason: 'another apiVersion', input: `${HEAD.replace('/v1', '/v2')}items:\n${ITEM}`, found: "'config.kubernetes.io/v2'", line: 1 },
  { reason: 'items is a map', input: `${HEAD}items:\n  a: b\n`, found: 'a map', line: 4 },
  { reason: 'half a document: within quotes', input: `${HEAD}items:\n${ITEM}  data:\n    a: "b`, found: 'is not closed', line: 9 },
  { reason: 'half a document: within a flow map', input: `${HEAD}items:\n- {apiVersion: v1, kind: `, found: '', line: 4 },
  { reason: 'half a document: within a key', input: `${HEAD}items:\n- apiVersion: v1\n  ki`, found: '', line: 5 },
  { reason: 'half a document: as JSON', input: '{"kind":"ResourceList","items":[{"a":1}', found: '', line: 1 },
  { reason: 'two documents', input: `${HEAD}items:\n${ITEM}---\n${HEAD}items: []\n`, found: 'a second document', line: 8 },
  { reason: 'a tab as indentation', input: `${HEAD}items:\n- apiVersion: v1\n\tkind: A\n`, found: 'a tab indents the line', line: 5 },
  { reason: 'invalid UTF-8', input: Buffer.from(`${HEAD}items:\n${ITEM}# \xff\n`, 'latin1'), found: 'other bytes', line: 8 },
  { reason: 'UTF-16', input: Buffer.from(`\ufeff${HEAD}items: []\n`, 'utf16le'), found: 'UTF-16', line: 1 },
  { reason: 'NUL bytes', input: `${HEAD}items:\n${ITEM}  data:\n    a: b\0c\n`, found: 'a NUL byte', line: 9 },
  { reason: 'deeper than the limit', input: `${HEAD}items:\n- a: ${DEEP}\n`, found: 'deeper than 100 levels', line: 4 },
]

const bundles = readdirSync(`${ROOT}dist`).flatMap((file) => file.match(/^(.*)\.mjs$/)?.slice(1) ?? [])

// One line on stderr that says what was expected, what was found and where; nothing on stdout, which kpt would take for an empty package.
describe.each(bundles.filter((name) => name !== 'krm-variants'))('dist/%s.mjs', (name) => {
  test.concurrent.for(REFUSED)('refuses $reason', async ({ input, found, line }, { expect }) => {
    const { stdout, stderr, exitCode } = await runProgram(bundlePath(name), [], input)
    expect({ exitCode, stdout: stdout.toString() }).toEqual({ exitCode: 1, stdout: '' })
    const place = line === undefined ? '' : ` \\(line ${line}, column \\d+\\)`
    expect(stderr).toMatch(new RegExp(`^expected [^\\n]+, found [^\\n]+${place}\\n$`))
    expect(stderr).toContain(found)
  })
})
