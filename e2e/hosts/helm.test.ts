import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { testFolder } from '../../testdata/test-folder.ts'
import { bundlePath, ROOT, runProgram } from '../run-program.ts'
import { CHART_FORMS } from './chart-forms.ts'
import { readCommands, readFiles } from './markdown.ts'
import { HELM } from './present-hosts.ts'

/** Returns a folder with files, which is removed when the test ends. */
function folderOf(files: Iterable<readonly [string, string]>): string {
  const folder = testFolder()
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

/** Returns the kinds and names of the objects of a package, in order. */
function objectsOf(folder: string): readonly string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.yaml'))
  return paths.flatMap((path) => namesIn(readFileSync(join(folder, path), 'utf8'))).sort()
}

/** Returns the kinds and names of the objects that `helm template` prints, without hooks. */
async function objectsOfChart(chart: string, name: string, values: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await runProgram('helm', ['template', name, chart, '--include-crds', ...values])
  return namesIn(stdout.toString()).toSorted()
}

function namesIn(yaml: string): readonly string[] {
  const objects = parseAllDocuments(yaml).filter((document) => document.has('kind'))
  const applied = objects.filter((document) => document.getIn(['metadata', 'annotations', 'helm.sh/hook']) === undefined)
  return applied.map((document) => `${document.get('kind')} ${document.getIn(['metadata', 'name'])}`)
}

describe.skipIf(!HELM.present)('with Helm', () => {
  test('docs/from-helm.md: from a chart to a package, its next revision and the update, each command with what it prints', async () => {
    const markdown = readFileSync(join(ROOT, 'docs/from-helm.md'), 'utf8')
    const folder = folderOf(readFiles(markdown))
    const programs = folderOf([])
    symlinkSync(bundlePath('krm-variants'), join(programs, 'krm-variants'))
    const commands = readCommands(markdown)
    expect(commands.length).toBeGreaterThan(10)
    for (const { command, output } of commands) {
      const PATH = `${programs}${delimiter}${process.env.PATH}`
      const args = [`PATH=${PATH}`, 'bash', '-o', 'pipefail', '-c', `cd '${folder}' && ${command}`]
      const { stdout, stderr, exitCode } = await runProgram('env', args)
      expect({ command, told: `${stdout}${stderr}`, exitCode }).toEqual({ command, told: output, exitCode: 0 })
    }
  })

  test.each(CHART_FORMS)(
    'a chart in the form of $name: what is random is named, and its next version keeps the edits of people',
    async (form) => {
      const { name, values = '', silencer, hooks, lookups, files } = form
      const folder = folderOf([
        ['values.yaml', values],
        ...Object.entries(files(0)).map(([path, text]) => [`packed/${name}/${path}`, text] as const),
      ])
      const run = async (...words: readonly string[]) => {
        const { stdout, stderr, exitCode } = await runProgram('env', ['--chdir', folder, bundlePath('krm-variants'), ...words])
        return { stdout: stdout.toString(), stderr, exitCode }
      }
      const pack = (tgz: string) =>
        runProgram('tar', ['--create', '--gzip', '--file', join(folder, tgz), '--directory', join(folder, 'packed'), name])
      const importChart = (tgz: string, ...more: readonly string[]) =>
        run('import', '--helm', tgz, '--allow-exec', '--as', `catalog/${name}`, ...more)
      const given = values === '' ? [] : ['--values', 'values.yaml']
      await run('init', '.')
      writeFileSync(join(folder, '.krmignore'), 'packed/\nvalues.yaml\n')
      await pack('one.tgz')
      if (silencer !== undefined) {
        const { stdout, stderr, exitCode } = await importChart('one.tgz')
        expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 })
        expect(stderr).toMatch(/is random: set the values? .* with --values \[import-random\]/)
        expect(stderr).toContain(silencer)
      }
      const first = await importChart('one.tgz', ...given, '--setters', `replicas=spec.replicas@Deployment/${name}`)
      expect({ ...first, stdout: '' }).toMatchObject({ stdout: '', exitCode: 0 })
      expect(objectsOf(`${folder}/catalog/${name}@v1`)).toEqual(
        await objectsOfChart(
          join(folder, 'one.tgz'),
          name,
          given.map((word) => word.replace('values.yaml', join(folder, 'values.yaml'))),
        ),
      )
      expect(first.stderr.match(/\[import-hook\]/g)?.length ?? 0).toBe(hooks)
      expect(first.stderr.match(/\[import-lookup\]/g)?.length ?? 0).toBe(lookups)
      expect(first.stderr).not.toContain('of-the-team')
      const set = join(folder, 'fleet/hello.yaml')
      writeFileSync(set, readFileSync(set, 'utf8').replace('package: hello\n    rev', `package: ${name}\n    rev`))
      expect(await run('render', '.')).toMatchObject({ stderr: '', exitCode: 0 })
      const edited = join(folder, `clusters/prod/hello/deployment-${name}.yaml`)
      writeFileSync(edited, readFileSync(edited, 'utf8').replace('    spec:\n', '    spec:\n      nodeSelector:\n        pool: ours\n'))
      for (const [path, text] of Object.entries(files(1))) writeFileSync(join(folder, 'packed', name, path), text)
      await pack('two.tgz')
      const second = await importChart('two.tgz', ...given)
      expect(second).toMatchObject({ exitCode: 0 })
      expect(second.stdout).toContain('1.11.0 → ')
      expect(second.stdout).toContain('hello: v1 → v2, 2 packages')
      expect(await run('outdated', '--write', '--no-render', '.')).toMatchObject({ exitCode: 0 })
      const { stdout, stderr, exitCode } = await run('render', '.')
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
      expect(stdout).toContain('2 packages: 2 updated\n')
      const now = readFileSync(edited, 'utf8')
      expect(now).toContain('pool: ours')
      expect(now).toContain(`registry.example.com/${name}:1.12.0`)
      expect(now).toContain('replicas: 3 # kpt-set: ${replicas}')
      expect(await importChart('two.tgz', ...given)).toMatchObject({ stdout: '', exitCode: 0 })
    },
  )
})
