import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installTarball, linkTools, must, type Packed, packPackage } from '../installed-package.ts'
import { ROOT, runProgram } from '../run-program.ts'
import { buildBase, runImage } from './images.ts'
import { CONTAINERS, KPTS } from './present-hosts.ts'

const IMAGE = 'localhost/add-team:e2e'

let packed: Packed
let project: string

const inProject = (...command: readonly string[]) => must('env', ['--chdir', project, ...command])
const golden = (file: string) => readFileSync(join(project, 'testdata/labels', file), 'utf8')

// What examples/own-function/README.md says, in a copy that has the tarball and nothing of the repository but its compilers.
beforeAll(async () => {
  packed = await packPackage()
  project = join(packed.folder, 'own-function')
  await must('cp', ['--recursive', join(ROOT, 'examples/own-function'), project])
  // Its compilers are those of the repository, so that nothing has to be fetched.
  await inProject('npm', 'pkg', 'delete', 'devDependencies')
  await installTarball(packed.tarball, project)
  linkTools(project, ['@types', 'esbuild', '@esbuild', 'typescript', '@typescript', '.bin/tsc', '.bin/esbuild'])
  await inProject('npm', 'run', 'types')
  await inProject('npm', 'run', 'build')
})
afterAll(() => packed.remove())

test('its golden cases pass, and fail when an expectation is wrong', async () => {
  await inProject('npm', 'test')
  await must('bash', ['-c', `sed -i s/payments/paymens/ '${project}/testdata/labels/input.yaml'`])
  expect((await runProgram('env', ['--chdir', project, 'npm', 'test'])).exitCode).toBe(1)
  await must('cp', [join(ROOT, 'examples/own-function/testdata/labels/input.yaml'), `${project}/testdata/labels/`])
})

test.each(KPTS)('%s runs it as a file, and lines that it does not touch stay', async (kpt) => {
  await inProject(kpt, 'fn', 'eval', 'shop', '--exec', './dist/add-team.mjs', '--', 'team=payments')
  const till = readFileSync(join(project, 'shop/till.yaml'), 'utf8')
  expect(till).toContain('# Counts what is sold.\n')
  expect(till).toContain('  labels:\n    team: payments\n')
  expect(till).toContain('  replicas: 2 # one is for the queue\n')
})

describe.skipIf(!CONTAINERS.present)('as an image', () => {
  beforeAll(async () => {
    const runtime = CONTAINERS.present ? CONTAINERS.program : ''
    await must(runtime, ['build', '--quiet', '--build-arg', `BASE=${await buildBase()}`, '--tag', IMAGE, project])
  })

  test('it writes what its golden case records, without network, rights and a place to write', async () => {
    const { stdout, exitCode } = await runImage(IMAGE, [], golden('input.yaml'))
    expect({ exitCode, stdout: stdout.toString() }).toEqual({ exitCode: 0, stdout: golden('expected.yaml') })
  })

  test.each(KPTS)('%s runs it', async (kpt) => {
    await inProject(kpt, 'fn', 'eval', 'shop', '--image', IMAGE, '--image-pull-policy', 'never', '--', 'team=payments')
    expect(readFileSync(join(project, 'shop/till.yaml'), 'utf8')).toContain('team: payments')
  })
})
