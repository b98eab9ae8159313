// Runs inside an image, by its Node: the program of the image on the input of every case in a folder. Prints what each made of it, as JSON.
// node run-golden-cases.mjs FOLDER ENTRYPOINT...
import { spawnSync } from 'node:child_process'
import { closeSync, openSync, readdirSync } from 'node:fs'

const [folder, command, ...args] = process.argv.slice(2)

function run(name) {
  const input = openSync(`${folder}/${name}/input.yaml`, 'r')
  const { status, stdout } = spawnSync(command, args, { stdio: [input, 'pipe', 'ignore'], maxBuffer: 2 ** 28 })
  closeSync(input)
  return [name, { exitCode: status, stdout: stdout.toString('base64') }]
}

process.stdout.write(JSON.stringify(Object.fromEntries(readdirSync(folder).map(run))))
