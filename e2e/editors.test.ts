import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { copyFolder } from './folder-copy.ts'
import { must } from './installed-package.ts'
import { type Editor, openEditor } from './language-server.ts'
import { bundlePath, ROOT } from './run-program.ts'

const SCHEMAS = readdirSync(join(ROOT, 'schemas')).filter((file) => file.endsWith('.json'))

/** The schema of each kind, as a line at the top of a file names it. */
const LINES = new Map(
  SCHEMAS.map((file) => {
    const { title } = JSON.parse(readFileSync(join(ROOT, 'schemas', file), 'utf8'))
    return [title, `# yaml-language-server: $schema=file://${ROOT}schemas/${file}\n`] as const
  }),
)

/** The files of the examples that hold objects of one of our kinds only. */
const EXAMPLES = readdirSync(join(ROOT, 'examples'), { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.yaml$/.test(path) && !path.startsWith('own-function/'))
  .map((path) => ({ path, text: readFileSync(join(ROOT, 'examples', path), 'utf8') }))
  .map(({ path, text }) => ({ path, text, kinds: new Set(parseAllDocuments(text).map((document) => document.toJS()?.kind)) }))
  .filter(({ kinds }) => kinds.size === 1 && LINES.has([...kinds][0]))

const SET = `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata:
  name: tills
spec:
  upstream:
    repo: catalog
    package: tills
    revision: 3
  targets:
  - repositorySelector:
      matchLabels:
        env: prod
    template:
      adoptionPolicy: adoptExisting
      downstream:
        packageExpr: target.name
      labels:
        team: payments
`

const MISTAKES = [
  { mistake: 'a misspelt field of the set', from: 'upstream:', to: 'upsteam:', finding: /upsteam/ },
  { mistake: 'a misspelt field of the upstream', from: 'package: tills', to: 'pakage: tills', finding: /pakage/ },
  { mistake: 'a misspelt selector', from: 'repositorySelector', to: 'repositorySelecter', finding: /repositorySelecter/ },
  { mistake: 'a misspelt matchLabels', from: 'matchLabels', to: 'matchLables', finding: /matchLables/ },
  { mistake: 'a misspelt policy', from: 'adoptionPolicy', to: 'adoptionPolcy', finding: /adoptionPolcy/ },
  { mistake: 'a policy that there is not', from: 'adoptExisting', to: 'adoptAll', finding: /adoptExisting/ },
  { mistake: 'a misspelt expression field', from: 'packageExpr', to: 'packageExp', finding: /packageExp/ },
  {
    mistake: 'one target where a list belongs',
    from: '  - repositorySelector',
    to: '    repositorySelector',
    finding: /array|indent|sequence/i,
  },
  { mistake: 'a number as a label', from: 'team: payments', to: 'team: 7', finding: /string/ },
  { mistake: 'a boolean as a label of a selector', from: 'env: prod', to: 'env: true', finding: /string/ },
  { mistake: 'a map as a name', from: 'repo: catalog', to: 'repo: {name: catalog}', finding: /string/ },
  { mistake: 'another kind', from: 'kind: PackageVariantSet', to: 'kind: PackageVariantsSet', finding: /PackageVariantSet/ },
  { mistake: 'another version', from: 'v1alpha2', to: 'v1alpha3', finding: /v1alpha2/ },
  { mistake: 'a template beside the list', from: '    template:', to: '  template:', finding: /template|map|sequence/i },
  { mistake: 'a list as labels', from: '        team: payments', to: '      - team: payments', finding: /object/ },
]

let editor: Editor
let opened = 0
beforeAll(async () => {
  editor = await openEditor()
})
afterAll(() => editor.close())

const open = async (text: string) => {
  const uri = `file:///editor/${opened++}.yaml`
  return { uri, diagnostics: await editor.open(uri, text) }
}

describe('yaml-language-server', () => {
  test.each(EXAMPLES)('finds nothing in $path', async ({ text, kinds }) => {
    expect((await open((LINES.get([...kinds][0]) ?? '') + text)).diagnostics).toEqual([])
  })

  test.each(MISTAKES)('finds $mistake', async ({ from, to, finding }) => {
    const text = SET.replace(from, to)
    expect(text).not.toBe(SET)
    const { diagnostics } = await open(LINES.get('PackageVariantSet') + text)
    expect(diagnostics.map(({ message }) => message).join('\n')).toMatch(finding)
  })

  test('finds a mistake by the line that `schema --write --into` puts into a file', async () => {
    const folder = copyFolder('examples/fleet')
    await must('env', ['--chdir', folder, bundlePath('krm-variants'), 'schema', '--write', '.schemas', '--into', '.'])
    const uri = `file://${folder}/sets/tenants.yaml`
    const text = readFileSync(join(folder, 'sets/tenants.yaml'), 'utf8')
    expect(await editor.open(uri, text)).toEqual([])
    const wrong = await editor.open(uri.replace('tenants', 'wrong'), text.replace('upstream:', 'upsteam:'))
    expect(wrong.map(({ message }) => message).join()).toMatch(/upsteam/)
  })

  test('shows what a field is for, and completes fields', async () => {
    const text = LINES.get('PackageVariantSet') + SET
    const { uri, diagnostics } = await open(text)
    expect(diagnostics).toEqual([])
    const lines = text.split('\n')
    const line = lines.findIndex((each) => each.includes('adoptionPolicy'))
    expect(JSON.stringify(await editor.ask('textDocument/hover', uri, line, 8))).toContain('adoptExisting')
    const completed = await open(text.replace('        packageExpr: target.name\n', '        pack\n'))
    const place = lines.findIndex((each) => each.includes('packageExpr'))
    const offered = JSON.stringify(await editor.ask('textDocument/completion', completed.uri, place, 12))
    expect(offered).toContain('packageExpr')
    expect(offered).toContain('"package"')
  })
})
