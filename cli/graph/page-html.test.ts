import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { recordRun } from '../../testdata/cli/recorded-run.ts'
import { pageHtml } from './page-html.ts'

const CASES = fileURLToPath(new URL('../../testdata/cli', import.meta.url))

/** Returns what stands between the tags of a kind, in their order. */
function contentsOf(html: string, tag: string): readonly string[] {
  return [...html.matchAll(new RegExp(`<${tag}\\b[^>]*>([\\s\\S]*?)</${tag}>`, 'g'))].map(([, text]) => text ?? '')
}

test('a page allows its own script and style and nothing else, and asks for nothing', async () => {
  const { stdout } = await recordRun(CASES, ['graph', '--format', 'html', 'plan-operations/input'])
  const [, script = ''] = contentsOf(stdout, 'script')
  const [style = ''] = contentsOf(stdout, 'style')
  const digest = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`
  expect(/Content-Security-Policy" content="([^"]*)"/.exec(stdout)?.[1]).toBe(
    `default-src 'none'; script-src '${digest(script)}'; style-src '${digest(style)}'; img-src data:; base-uri 'none'; form-action 'none'`,
  )
  expect(stdout.replace(script, '')).not.toMatch(/\b(src|href|style|on\w+)="/)
})

test('the data of a page is read back as it was, whatever users wrote, and opens no tag', async () => {
  const { stdout } = await recordRun(CASES, ['graph', '--format', 'html', 'graph-hostile-names/input'])
  const [data = ''] = contentsOf(stdout, 'script')
  expect(data).not.toContain('<')
  const { findings }: { findings: readonly string[] } = JSON.parse(data)
  expect(findings.join()).toContain("got '<img src=x onerror=alert(1)>'")
})

test('the page of a plan has its changes first, and only the part that is asked for', async () => {
  const read = async (...args: readonly string[]) => {
    const { stdout, exitCode } = await recordRun(CASES, ['plan', '--format', 'html', 'plan-operations/input', ...args])
    const data: { first: string; variants: readonly { op: string; name: string }[] } = JSON.parse(contentsOf(stdout, 'script')[0] ?? '')
    return { exitCode, first: data.first, ops: data.variants.map(({ op }) => op) }
  }
  expect(await read()).toEqual({
    exitCode: 2,
    first: 'changes',
    ops: ['remove', 'remove', 'rename', 'update', 'create', 'unchanged', 'unchanged'],
  })
  expect(await read('--only', 'create')).toEqual({ exitCode: 2, first: 'changes', ops: ['create'] })
})

test('neither a key nor a value of the data of a page turns the direction of text', () => {
  const json = contentsOf(pageHtml({ data: { value: { 'a\u202egnp': 'b\u2066' } }, body: '', script: '', style: '' }), 'script')[0] ?? ''
  expect(JSON.parse(json)).toEqual({ value: { 'a\\u202egnp': 'b\\u2066' } })
})
