// Runs inside an image, by its Node: the program of the image on the input of every case in a folder, as many at one time as there are
// processors. Prints what each made of it, as JSON.
// node run-golden-cases.mjs FOLDER ENTRYPOINT...
import { spawn } from 'node:child_process'
import { closeSync, openSync, readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'

const [folder, command, ...args] = process.argv.slice(2)

function run(name) {
  const input = openSync(`${folder}/${name}/input.yaml`, 'r')
  const program = spawn(command, args, { stdio: [input, 'pipe', 'ignore'] })
  closeSync(input)
  const stdout = []
  program.stdout.on('data', (bytes) => stdout.push(bytes))
  return new Promise((resolve, reject) => {
    program.on('error', reject)
    program.on('close', (exitCode) => resolve([name, { exitCode, stdout: Buffer.concat(stdout).toString('base64') }]))
  })
}

const names = readdirSync(folder)
const made = []
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    for (let name = names.pop(); name !== undefined; name = names.pop()) made.push(await run(name))
  }),
)
process.stdout.write(JSON.stringify(Object.fromEntries(made)))
