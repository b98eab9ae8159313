import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFunctions } from '../testdata/golden-folders.ts'
import { copyFolder } from './folder-copy.ts'
import { readCommands, readFiles } from './hosts/markdown.ts'
import { installTarball, linkTools, must, type Packed, packPackage } from './installed-package.ts'
import { bundlePath, ROOT, runProgram } from './run-program.ts'

let packed: Packed
let project: string

beforeAll(async () => {
  packed = await packPackage()
  project = join(packed.folder, 'project')
  mkdirSync(project)
  await installTarball(packed.tarball, project)
})
afterAll(() => packed.remove())

test('the tarball holds bundles, modules with their types, schemas, CustomResourceDefinitions and licences, and nothing else', async () => {
  const { stdout } = await must('tar', ['--list', '--file', packed.tarball])
  const schemas = (folder: string) => readdirSync(join(ROOT, folder)).filter((file) => /\.(json|yaml)$/.test(file))
  const modules = ['sdk', 'cel'].flatMap((name) => [`dist/sdk/${name}.mjs`, `dist/sdk/${name}.d.mts`])
  const files = [
    ...[
      'LICENSE',
      'README.md',
      'package.json',
      'action/pull-request.mjs',
      'dist/LICENSES.txt',
      'dist/krm-variants.mjs',
      'dist/krm-variants/tool.mjs',
      ...modules,
    ],
    ...findFunctions().map((name) => `dist/${name}.mjs`),
    ...['schemas', 'schemas/crds', 'schemas/output'].flatMap((folder) => schemas(folder).map((file) => `${folder}/${file}`)),
  ]
  expect(stdout.toString().trim().split('\n').sort()).toEqual(files.map((file) => `package/${file}`).sort())
})

test('it needs no other package, and brings the licence of each whose code is in it', async () => {
  expect(readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['krm-variants'])
  const licences = readFileSync(join(project, 'node_modules/krm-variants/dist/LICENSES.txt'), 'utf8')
  for (const name of findFunctions()) await must('node', [join(project, `node_modules/krm-variants/dist/${name}.mjs`), '--version'])
  const [, named = ''] =
    readFileSync(join(ROOT, 'docs/decisions/dependencies.md'), 'utf8').match(/^## In the bundles\n.*?\n\n(\* .*?)\n\n/ms) ?? []
  const libraries = [...named.matchAll(/^\* `(.*?)`/gm)].map(([, name]) => name)
  expect(libraries.length).toBeGreaterThanOrEqual(4)
  for (const name of libraries) expect(licences).toMatch(new RegExp(`^${name}$`, 'm'))
})

test('every path that it exports leads to a file, and others do not', async () => {
  const paths = ['sdk', 'cel', 'package.json', 'dist/fan-out.mjs', 'schemas/package-variant-set.json']
  const script = `for (const path of ${JSON.stringify(paths)}) require('fs').accessSync(require.resolve('krm-variants/' + path))
    try { require.resolve('krm-variants/dist/sdk/sdk.d.mts') } catch ({ code }) { console.log(code) }`
  const { stdout } = await must('env', ['--chdir', project, 'node', '-e', script])
  expect(stdout.toString()).toBe('ERR_PACKAGE_PATH_NOT_EXPORTED\n')
})

test('it is published with provenance, for every Node that the tests run on', () => {
  const manifest = JSON.parse(readFileSync(join(project, 'node_modules/krm-variants/package.json'), 'utf8'))
  const { publishConfig, engines, repository, license } = manifest
  expect({ publishConfig, engines, license }).toEqual({
    publishConfig: { access: 'public', provenance: true },
    engines: { node: '^20.19 || ^22.12 || >=24' },
    license: 'Apache-2.0',
  })
  // npm refuses provenance for a repository that is not the one of the workflow.
  expect(repository.url).toMatch(/^git\+https:\/\/github\.com\/.+\.git$/)
})

test('in an empty folder, npx krm-variants plan shows a fleet', async () => {
  cpSync(copyFolder('examples/fleet'), join(project, 'fleet'), { recursive: true })
  const inProject = (...command: readonly string[]) => runProgram('env', ['--chdir', project, ...command])
  const { stdout, exitCode } = await inProject('npx', '--offline', 'krm-variants', 'plan', 'fleet')
  const { stdout: ours } = await inProject(bundlePath('krm-variants'), 'plan', 'fleet')
  expect(exitCode).toBe(2)
  expect(stdout.toString()).toBe(ours.toString())
  expect(ours.length).toBeGreaterThan(500)
})

test('docs/start.md: from an empty folder to the comment on a pull request, each command with what it prints', async () => {
  const folder = join(packed.folder, 'start')
  const markdown = readFileSync(join(ROOT, 'docs/start.md'), 'utf8')
  for (const [path, text] of readFiles(markdown)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  cpSync(packed.tarball, join(folder, basename(packed.tarball)))
  const commands = readCommands(markdown)
  expect(commands.length).toBe(12)
  for (const { command, output } of commands) {
    const { stdout, stderr } = await runProgram('env', ['--chdir', folder, 'npm_config_offline=true', 'bash', '-c', command])
    const told = command.startsWith('npm install') ? `${stdout}` : `${stdout}${stderr.replace(/^npm warn .*\n/gm, '')}`
    expect({ command, told }).toEqual({ command, told: output })
  }
})

/** Each example of a docstring, and each file of docs/sdk.md, with what its comments say that it prints. */
function examples(): { readonly name: string; readonly code: string; readonly prints: string }[] {
  const declared = ['sdk', 'cel'].map((name) => readFileSync(join(ROOT, `dist/sdk/${name}.d.mts`), 'utf8').replace(/^ *\* ?/gm, ''))
  const blocks = [...declared, readFileSync(join(ROOT, 'docs/sdk.md'), 'utf8')].flatMap((text) => [
    ...text.matchAll(/^```ts\n(.*?)^```$/gms),
  ])
  return blocks.map(([, code = ''], index) => {
    const prints = [...code.matchAll(/console\.log\(.*?\)(?:\n *)? \/\/ (.*)$/gm)].map(([, text]) => text)
    return { name: `example-${index}`, code, prints: prints.map((line) => `${line}\n`).join('') }
  })
}

test('the examples of the docstrings and of docs/sdk.md are of the types that they claim, and print what they say', async () => {
  const shown = examples()
  expect(shown.length).toBeGreaterThanOrEqual(10)
  linkTools(project, ['@types'])
  for (const { name, code } of shown) writeFileSync(join(project, `${name}.ts`), code)
  const files = shown.map(({ name }) => join(project, `${name}.ts`))
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }')
  const strict = [
    '--noEmit',
    '--ignoreConfig',
    '--strict',
    '--exactOptionalPropertyTypes',
    '--target',
    'es2022',
    '--module',
    'nodenext',
    '--types',
    'node',
  ]
  await must('node', [join(ROOT, 'node_modules/typescript/bin/tsc'), ...strict, ...files])
  await must('npx', ['esbuild', ...files, '--format=esm', '--target=node20.19', `--outdir=${project}`, '--out-extension:.js=.mjs'])
  const list = 'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\nfunctionConfig: {data: {team: a}}\n'
  for (const { name, code, prints } of shown) {
    const { stdout, stderr, exitCode } = await runProgram('node', [join(project, `${name}.mjs`)], list)
    const expected = code.includes('await main(') ? list : prints
    expect({ name, stdout: stdout.toString(), stderr, exitCode }).toEqual({ name, stdout: expected, stderr: '', exitCode: 0 })
    expect(code.includes('assert.') || expected !== '').toBe(true)
  }
})
