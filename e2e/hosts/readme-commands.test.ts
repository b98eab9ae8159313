import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bundlePath, ROOT, runProgram } from '../run-program.ts'
import { type Command, readCommands, readFiles } from './markdown.ts'
import { KPTS, KUSTOMIZE } from './present-hosts.ts'
import { findUnknownWords } from './unknown-words.ts'

/**
 * Their commands are run elsewhere: docs/start.md needs the tarball (e2e/package.test.ts), docs/from-*.md a host or a folder of their own.
 */
const ELSEWHERE: readonly string[] = ['start.md', 'from-helm.md', 'from-kustomize.md', 'from-argocd.md']

/** The documents whose commands are run. */
const DOCUMENTS: readonly string[] = [
  'README.md',
  ...['functions', 'examples'].flatMap((folder) => readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}/README.md`)),
  ...['docs', 'docs/commands', 'docs/recipes'].flatMap((folder) => markdownIn(folder)),
].filter((path) => existsSync(join(ROOT, path)))

function markdownIn(folder: string): readonly string[] {
  const names = readdirSync(join(ROOT, folder)).filter((name) => name.endsWith('.md') && !ELSEWHERE.includes(name))
  return names.map((name) => `${folder}/${name}`)
}

/** The files of the repository that a command of a document may need. */
const COPIED = [
  'Kptfile',
  '.krmignore',
  'package.json',
  'package-lock.json',
  'dist',
  'docs',
  'examples',
  'functions',
  'page',
  'schemas',
  'scripts',
  'src',
  'cli',
  'testdata/cli/adopt-dry-run',
  'testdata/cli/catalog-add',
  'testdata/cli/resolve-dry-run',
  'testdata/cli/resolve-update',
  'testdata/cli/run-builtin',
  'testdata/cli/explain-rendered',
  'testdata/cli/run-when',
  'testdata/cli/simulate-removal-prune',
]

/** The number of commands by the way in which they were tested. */
const counts = { run: 0, 'run by .ci/run': 0, checked: 0, 'left out': 0 }

const place = mkdtempSync(join(realpathSync(tmpdir()), 'krm-variants-readme-'))
const programs = join(place, 'programs')

beforeAll(() => {
  mkdirSync(programs)
  symlinkSync(bundlePath('krm-variants'), join(programs, 'krm-variants'))
})
afterAll(() => {
  rmSync(place, { recursive: true })
  console.log(
    `commands of ${DOCUMENTS.length} documents: ${Object.entries(counts)
      .map(([how, count]) => `${count} ${how}`)
      .join(', ')}`,
  )
})

test.each([
  {
    command: 'kpt fn eval examples/flet --imag ghcr.io/krm-variants/fan-outt:v0.1.0',
    wrong: ['--imag', 'ghcr.io/krm-variants/fan-outt:v0.1.0', 'examples/flet'],
  },
  { command: 'kubectl aply -f a.yaml', wrong: ['aply'] },
  { command: 'npm run imagse', wrong: ['imagse'] },
])('what cannot be right in `$command` is found without running it', async ({ command, wrong }) => {
  expect(await findUnknownWords(command)).toEqual(wrong)
})

describe.each(DOCUMENTS)('%s', (path) => {
  const markdown = readFileSync(join(ROOT, path), 'utf8')
  const commands = readCommands(markdown)
  const folder = join(place, path.replaceAll('/', '-'))

  beforeAll(() => {
    if (commands.length === 0) return
    for (const name of COPIED) cpSync(join(ROOT, name), join(folder, 'repository', name), { recursive: true, preserveTimestamps: true })
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'repository/node_modules'))
    for (const [file, text] of readFiles(markdown)) {
      mkdirSync(dirname(join(folder, 'repository', file)), { recursive: true })
      writeFileSync(join(folder, 'repository', file), text)
    }
  })

  // In order, since one may need what another made.
  test.each(commands)('line $line: $command', async (command) => {
    const how = howToTry(command)
    counts[how]++
    if (how === 'checked') expect(await findUnknownWords(command.command)).toEqual([])
    else if (how === 'run') await expectDone(command, folder)
    else expect(command.command).toMatch(/^(npm|kustomize) /)
  })

  test('npm scripts that it names exist', async () => {
    const named = [...markdown.matchAll(/\bnpm run [a-z0-9:]+/g)].map(([script]) => script)
    expect((await Promise.all(named.map(findUnknownWords))).flat()).toEqual([])
  })
})

function howToTry({ command, needs }: Command): keyof typeof counts {
  if (/^kustomize /.test(command) && !KUSTOMIZE.present) return 'left out'
  if (needs !== undefined) return 'checked'
  if (/^npm /.test(command) && readFileSync(join(ROOT, '.ci/run'), 'utf8').includes(command)) return 'run by .ci/run'
  return 'run'
}

/** Runs a command in the copy of the repository; it must succeed, and print what the document shows. */
async function expectDone({ command, output = '' }: Command, folder: string): Promise<void> {
  const script = command.replaceAll('/tmp/', `${folder}/`).replace(/^kpt /, `${KPTS[0] ?? 'kpt'} `)
  const PATH = `${programs}${delimiter}${process.env.PATH}`
  const args = [`PATH=${PATH}`, 'bash', '-o', 'pipefail', '-c', `cd '${folder}/repository' && ${script}`]
  const { stdout, stderr, exitCode } = await runProgram('env', args)
  const done = /^krm-variants plan|--dry-run/.test(command) ? [0, 2] : [0]
  expect(done, `${stdout}${stderr}`).toContain(exitCode)
  // A terminal shows both, in an order that cli/example-readmes.test.ts knows.
  if (output !== '') expect(sortedLines(`${stdout}${stderr}`)).toEqual(sortedLines(output))
}

function sortedLines(text: string): readonly string[] {
  return text.split('\n').sort()
}
