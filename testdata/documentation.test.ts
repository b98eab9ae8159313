import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { recordRun } from './cli/recorded-run.ts'
import { findFunctions } from './golden-folders.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const CONTENTS = readFileSync(join(ROOT, 'docs/README.md'), 'utf8')

/** The files that docs/README.md lists, from the root of the repository. */
const listed = [...CONTENTS.matchAll(/^\* \[.+?\]\((.+?)\)/gm)].map(([, link = '']) => posix.join('docs', link))

const markdownIn = (folder: string) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`)

test('docs/README.md lists every page of docs and every function, each once', () => {
  const pages = ['docs', 'docs/commands', 'docs/recipes', 'docs/decisions'].flatMap(markdownIn).filter((path) => path !== 'docs/README.md')
  const functions = findFunctions().map((name) => `functions/${name}/README.md`)
  expect(listed.filter((path) => !path.startsWith('examples/')).sort()).toEqual([...pages, ...functions].sort())
})

test('every command of the tool has a page, which ends with its help', async () => {
  const { stdout } = await recordRun(ROOT, ['--help'])
  const [, commands = ''] = stdout.split('Commands:\n')
  const names = [...commands.matchAll(/^ {2}([a-z]+) /gm)].map(([, name = '']) => name).filter((name) => name !== 'help')
  expect(markdownIn('docs/commands')).toEqual(names.sort().map((name) => `docs/commands/${name}.md`))
  const texts = names.map((name) => readFileSync(join(ROOT, `docs/commands/${name}.md`), 'utf8'))
  expect(names.filter((name, i) => !texts[i]?.endsWith(`\n\n<!-- include krm-variants ${name} --help -->\n`))).toEqual([])
})

test('every recipe says what of it is tested and what is not', () => {
  const silent = markdownIn('docs/recipes').filter((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8')
    return !/^Tested: /m.test(text) || !/\bNot tested: /.test(text)
  })
  expect(silent).toEqual([])
})

test('every workflow and job that reads the packages of a fleet fetches the whole history', () => {
  const shallow = markdownIn('docs/recipes').flatMap((path) => {
    const blocks = [...readFileSync(join(ROOT, path), 'utf8').matchAll(/^```yaml\n# (\S+)\n(.*?)^```/gms)]
    const clones = blocks.filter(([, , text = '']) => /actions\/checkout|image: .*node/.test(text) && !text.includes('git clone'))
    return clones.filter(([, , text = '']) => !/^ +(fetch-depth|GIT_DEPTH): 0$/m.test(text)).map(([, name]) => `${path} ${name}`)
  })
  expect(shallow).toEqual([])
})
