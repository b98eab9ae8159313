import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundlePath, ROOT, runProgram } from '../run-program.ts'
import { FUNCTIONS, metadataOf } from './functions.ts'

const { scripts, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const IMAGES: readonly string[] = FUNCTIONS.map((name) => `${metadataOf(name).image}:v${version}`)

/** Programs whose help says too little, or that are not on every machine, with the words that a command may have. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  docker: ['build', '--build-arg', '--tag'],
  kubectl: ['apply', 'get', 'kustomize', '--enable-alpha-plugins', '-A', '-f', '-o', '-R'],
  npm: ['run', 'ci', 'test', 'start', 'pack', 'install', '--save-dev', 'types', ...Object.keys(scripts)],
  npx: ['krm-variants'],
}

/**
 * The words that cannot be right in a command that cannot be run here: flags and sub-commands that its help does not name, images that
 * no function has, files of the repository that are not there. What follows `--` is for the function.
 */
export async function findUnknownWords(command: string): Promise<string[]> {
  const piped = command.split(' | ')
  if (piped.length > 1) return (await Promise.all(piped.map(findUnknownWords))).flat()
  const [call = ''] = command.split(' -- ')
  const [program = '', ...words] = call.split(/\s+/)
  const known = WORDS[program] ?? (await helpOf(program, words))
  const subCommands = Object.hasOwn(WORDS, program) ? words.slice(0, words[0] === 'run' ? 2 : 1) : []
  const named = [...subCommands, ...words.filter((word) => /^-./.test(word))]
  return [
    ...named.filter((word) => !known.includes(word.replace(/=.*/, ''))),
    ...words.filter((word) => word.startsWith('ghcr.io/') && !IMAGES.includes(word)),
    ...words.filter((word) => /^(examples|dist|functions|docs|scripts)\//.test(word) && !existsSync(join(ROOT, word))),
  ]
}

/** Every word in the help of a program's sub-command. */
async function helpOf(program: string, words: readonly string[]): Promise<readonly string[]> {
  const end = words.findIndex((word) => !/^[a-z]+$/.test(word))
  const commands = words.slice(0, end === -1 ? 2 : Math.min(end, 2))
  // The tool is not on the PATH of every machine.
  const call = program === 'krm-variants' ? ['node', bundlePath(program)] : [program]
  const { stdout, stderr } = await runProgram('env', [...call, ...commands, '--help'])
  return `${stdout}${stderr}`.split(/[\s,=[\]()]+/)
}
