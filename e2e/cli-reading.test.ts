import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { readPackage } from '../src/folder/read-package.ts'
import { ResourceList } from '../src/resource-list/resource-list.ts'
import { testFolder } from '../testdata/test-folder.ts'
import { ROOT, runProgram } from './run-program.ts'

const KPT = process.env.KPT ?? 'kpt'
const REAL_PACKAGES = join(ROOT, '../shared/real/packages')

const namesOf = ({ items }: ResourceList) => items.map(({ file, apiVersion, kind, name }) => ({ ...file, apiVersion, kind, name }))

/** The items as `kpt fn source` has them; the lists that it wraps are no resources for us. */
async function sourceOf(folder: string): Promise<ReturnType<typeof namesOf>> {
  const { stdout, stderr, exitCode } = await runProgram(KPT, ['fn', 'source', folder])
  if (exitCode !== 0) throw new Error(stderr)
  const list = ResourceList.parse(stdout.toString())
  return namesOf(ResourceList.of(list.items.filter((item) => !item.toText().includes('bareSeqNodeWrappingKey'))))
}

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = testFolder()
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

const object = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n`

test('a folder with everything odd is read as kpt reads it: same items, paths, indexes and order', async () => {
  const folder = folderOf({
    Kptfile: object('root'),
    'Z.yml': object('z'),
    'a/x.yaml': object('x'),
    'a.yaml': `# lic\n---\n${object('one')}--- # two\n${object('two')}---\n---\n~\n---\n- a\n- list\n---\n${object('three')}...\nrest\n`,
    'crlf.yaml': `\uFEFF${object('crlf')}---\n${object('second')}`.replaceAll('\n', '\r\n'),
    'j.json': '{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "json"}}',
    'kustomization.yaml': 'resources: [a.yaml]\n',
    '.hidden/h.yaml': object('hidden'),
    '.dot.yaml': object('dot'),
    'é😀.yaml': object('unicode'),
    '.krmignore': 'ignored.yaml\n/here\nin/*.yml\n!kept.yaml\n',
    'ignored.yaml': object('no'),
    'here/h.yaml': object('no'),
    'deep/here/h.yaml': object('yes'),
    'deep/in/i.yml': object('no'),
    'sub/Kptfile': object('sub'),
    'sub/ignored.yaml': object('yes'),
    'sub/.krmignore': 'own.yaml\n',
    'sub/deep/own.yaml': object('no'),
    'subsequent/ignored.yaml': object('under the rules of sub'),
  })
  symlinkSync('a.yaml', join(folder, 'link.yaml'))
  symlinkSync('a', join(folder, 'folder-link'))
  expect(namesOf(readPackage(folder).list)).toEqual(await sourceOf(folder))
})

test('examples/fleet', async () => {
  const folder = join(ROOT, 'examples/fleet')
  expect(namesOf(readPackage(folder).list)).toEqual(await sourceOf(folder))
})

test.skipIf(!existsSync(REAL_PACKAGES))('packages of public repositories', async () => {
  const folders = readdirSync(REAL_PACKAGES, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  for (const { name } of folders) {
    const folder = join(REAL_PACKAGES, name)
    expect(namesOf(readPackage(folder).list), name).toEqual(await sourceOf(folder))
  }
  expect(folders.length).toBeGreaterThan(0)
})
