import { expect, test } from 'vitest'
import { stylesFor } from '../print/styles.ts'
import { renderJson, renderMarkdown, renderText } from './render-report.ts'
import { type FileView, PACKAGE_OPERATIONS, type PackageCounts, type PackageView, type RenderView, viewRefused } from './render-view.ts'

const plain = stylesFor({ environment: {}, isTerminal: false }, { color: false })

const packageOf = (folder: string, more: Partial<PackageView> = {}): PackageView => ({
  op: 'update',
  folder,
  variant: `fleet/${folder.replace('/', '-')}`,
  upstream: 'catalog/app@v2',
  files: [{ op: 'update', path: 'a.yaml', added: 1, removed: 2 }],
  results: [],
  ...more,
})

/** Returns a view of packages; more counts are those of packages that no view has. */
const viewOf = (packages: readonly PackageView[], more: Partial<PackageCounts> = {}, rest: Partial<RenderView> = {}): RenderView => {
  const counts = { remove: 0, orphan: 0, move: 0, update: 0, create: 0, unchanged: 0, left: 0, failed: 0, ...more }
  for (const op of PACKAGE_OPERATIONS) counts[op] = packages.filter((each) => each.op === op).length
  return { counts, isDryRun: true, lost: 0, functions: new Map(), packages, results: [], ...rest }
}
const text = (...args: Parameters<typeof viewOf>) => renderText(viewOf(...args), plain)

test.each<[Parameters<typeof viewOf>, string]>([
  [[[]], 'nothing to do'],
  [[[], { unchanged: 2 }], 'nothing to do, 2 unchanged'],
  [
    [[packageOf('a/x'), packageOf('b/x', { op: 'remove' })], { failed: 1, left: 3, unchanged: 4 }, { lost: 1 }],
    '1 to remove, 1 to update, 4 unchanged, 1 failed, 3 left alone, 1 edit to lose',
  ],
  [[[], { failed: 1 }, { results: [{ severity: 'error', message: 'm', tags: { rule: 'no-match' } }] }], 'nothing to do, 1 failed'],
  [[[], {}, { results: [{ severity: 'warning', message: 'm', tags: { rule: 'no-match' } }] }], 'nothing to do'],
])('the first line counts packages by their fate', (args, line) => {
  expect(text(...args).split('\n')[0]).toBe(`Render: ${line}`)
  expect(renderMarkdown(viewOf(...args)).split('\n')[0]).toBe(`### Packages: ${line}`)
})

test('a run that errors refused says so', () => {
  const refused = viewRefused([{ severity: 'error', message: 'm', tags: { rule: 'no-match' } }], { isDryRun: false })
  expect(renderText(refused, plain)).toBe('Render: none, refused for errors\n')
  expect(renderMarkdown(refused)).toBe('### Packages: none, refused for errors\n\n```text\nerror: m [no-match]\n```\n')
})

test('packages with equal changes are one, with three folders and the number of variants', () => {
  const folders = ['a/x', 'b/x', 'c/x', 'd/x']
  const group = '~ a/x, b/x, c/x and 1 more\n    catalog/app@v2 for 4 PackageVariants\n    ~ a.yaml  +1 -2\n'
  expect(text(folders.map((folder) => packageOf(folder)))).toBe(`Render: 4 to update\n\n${group}`)
})

test.each<[string, Partial<PackageView>]>([
  ['operation', { op: 'move', oldFolder: 'z/x' }],
  ['upstream', { upstream: 'catalog/app@v3' }],
  ['files', { files: [{ op: 'update', path: 'a.yaml', added: 1, removed: 3 }] }],
])('packages of another %s are shown apart', (_, more) => {
  const shown = text([packageOf('a/x'), packageOf('b/x', more)])
  expect(shown).toContain('catalog/app@v2 for PackageVariant fleet/a-x\n')
  expect(shown).toContain(' for PackageVariant fleet/b-x\n')
})

test.each<[Partial<PackageView>, string]>([
  [{ op: 'remove' }, '- a/x\n    PackageVariant fleet/a-x does not want it any more\n'],
  [{ op: 'orphan' }, '○ a/x\n    PackageVariant fleet/a-x does not want it any more\n'],
  [{ op: 'move', oldFolder: 'a/old' }, '→ a/old → a/x\n    catalog/app@v2 for PackageVariant fleet/a-x\n'],
])('the reason of %j is that of its operation', (more, lines) => {
  expect(text([packageOf('a/x', { files: [], ...more })])).toContain(`\n\n${lines}`)
})

test('several packages that nothing wants are many', () => {
  const gone = ['a/x', 'b/x'].map((folder) => packageOf(folder, { op: 'remove', files: [] }))
  expect(text(gone)).toContain('2 PackageVariants do not want them any more\n')
})

const file = (more: Partial<FileView>): FileView => ({ op: 'update', path: 'a.sh', added: 0, removed: 0, ...more })
const lineOf = (more: Partial<FileView>) =>
  text([packageOf('a/x', { files: [file(more)] })])
    .split('\n')
    .at(-2)

test.each<[Partial<FileView>, string]>([
  [{ added: 3, removed: 1 }, '    ~ a.sh  +3 -1'],
  [{ added: 3 }, '    ~ a.sh  +3'],
  [{ op: 'delete', removed: 1 }, '    - a.sh  -1'],
  [{ op: 'create', added: 1 }, '    + a.sh  +1'],
  [{ added: 1, executable: true }, '    ~ a.sh  +1 executable'],
  [{ executable: false }, '    ~ a.sh  not executable any more'],
])('the line of the file %j counts its lines and names a turned executable bit', (more, line) => {
  expect(lineOf(more)).toBe(line)
})

test('a file that is no text has no counts', () => {
  expect(text([packageOf('a/x', { files: [{ op: 'update', path: 'a.png', executable: true }] })])).toContain(
    '~ a.png  no text executable\n',
  )
})

test('a new package has the number of its files, or its files where a diff was asked for', () => {
  const files = [file({ op: 'create', added: 1 }), file({ op: 'create', path: 'b.yaml', added: 1 })]
  expect(text([packageOf('a/x', { op: 'create', files })])).toContain('PackageVariant fleet/a-x\n    2 files\n')
  expect(renderMarkdown(viewOf([packageOf('a/x', { op: 'create', files })]))).toContain('\n  - 2 files\n')
  const [first, ...others] = files
  const shown = [...others, { ...file({ op: 'create', added: 1 }), ...first, diff: '@@ -0,0 +1 @@\n+x\n' }]
  expect(text([packageOf('a/x', { op: 'create', files: shown })])).toContain('+ b.yaml  +1\n')
})

test.each<[FileView['op'], string]>([
  ['create', '--- /dev/null\n+++ b/a/x/a.sh\n'],
  ['update', '--- a/a/old/a.sh\n+++ b/a/x/a.sh\n'],
  ['delete', '--- a/a/old/a.sh\n+++ /dev/null\n'],
])('the diff of a file to %s names the file before and after', (op, header) => {
  const view = viewOf([packageOf('a/x', { op: 'move', oldFolder: 'a/old', files: [file({ op, added: 1, diff: '@@\n+x\n' })] })])
  expect(renderText(view, plain)).toContain(`\n${header}@@\n+x\n`)
  expect(renderMarkdown(view)).toContain(`\n    \`\`\`diff\n${`${header}@@\n+x\n`.replaceAll(/^(?=.)/gm, '    ')}    \`\`\`\n`)
})

test('a file of which only the executable bit turns has no diff', () => {
  expect(text([packageOf('a/x', { files: [file({ executable: true, diff: '' })] })])).not.toContain('---')
  expect(text([packageOf('a/x', { files: [file({ executable: true, added: 1, diff: '@@\n+x\n' })] })])).toContain('---')
})

test('the functions that ran are below the first line', () => {
  const functions = new Map([['set-labels', 2]])
  expect(text([], {}, { functions })).toBe('Render: nothing to do\n2 functions run: set-labels 2\n')
  expect(renderMarkdown(viewOf([], {}, { functions }))).toBe('### Packages: nothing to do\n\n2 functions run: set-labels 2\n')
})

test('a comment names the operation, the folders and the reason of each group', () => {
  expect(renderMarkdown(viewOf([packageOf('a/x')]))).toBe(
    '### Packages: 1 to update\n\n- `~` **update** `a/x`\n  <br>catalog/app@v2 for PackageVariant fleet/a-x\n  - `~ a.yaml` +1 -2\n',
  )
})

test('JSON has each package with its own findings', () => {
  const results = [{ severity: 'warning', message: 'm', tags: { rule: 'no-match' } } as const]
  const view = viewOf([packageOf('a/x', { results })], {}, { functions: new Map([['set-labels', 2]]), lost: 3 })
  expect(JSON.parse(renderJson(view))).toMatchObject({
    dryRun: true,
    counts: { update: 1, create: 0 },
    lost: 3,
    functions: { 'set-labels': 2 },
    packages: [{ folder: 'a/x', results: [{ severity: 'warning', message: 'm' }] }],
  })
})
