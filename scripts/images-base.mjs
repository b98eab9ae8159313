// `node scripts/images-base.mjs`: a base image with Node 24 and nothing else, for a network without a registry of images:
// the binary of the npm package node-linux-ARCH, the libraries of this machine that it needs, and the users. Prints the image's name.
// An image of that name is taken as it is.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { runRuntime } from './container-runtime.mjs'

const NODE = '24.21.0'
const PACKAGE = `node-linux-${process.arch}@${NODE}`
const FILES = {
  'etc/passwd': 'root:x:0:0:root:/root:/sbin/nologin\nnobody:x:65534:65534:nobody:/nonexistent:/sbin/nologin\n',
  'etc/group': 'root:x:0:\nnobody:x:65534:\n',
  Dockerfile: 'FROM scratch\nCOPY . /\nENV PATH=/nodejs/bin\nENTRYPOINT ["node"]\n',
  '.dockerignore': 'Dockerfile\n.dockerignore\n',
}

const image = `localhost/krm-variants-node:${NODE}`
if (runRuntime('images', '--quiet', image) === '') inFolder(buildBase)
process.stdout.write(`${image}\n`)

function buildBase(folder) {
  const node = join(folder, 'nodejs/bin/node')
  inFolder((unpacked) => cpSync(unpackNode(unpacked), node))
  for (const library of librariesOf(node)) cpSync(library, join(folder, library), { dereference: true })
  for (const [path, text] of Object.entries(FILES)) write(join(folder, path), text)
  runRuntime('build', '--quiet', '--tag', image, folder)
}

/** Fetches Node into a folder; returns the path of the binary. */
function unpackNode(folder) {
  const tarball = run('npm', 'pack', PACKAGE, '--silent', '--pack-destination', folder).split('\n').at(-1)
  run('tar', '--extract', '--file', join(folder, tarball), '--directory', folder, 'package/bin/node')
  return join(folder, 'package/bin/node')
}

/** Gives a step a folder that is gone after it. */
function inFolder(step) {
  const folder = mkdtempSync(join(tmpdir(), 'krm-variants-base-'))
  try {
    step(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The absolute paths in the answer of ldd, the loader among them. */
function librariesOf(program) {
  return [...run('ldd', program).matchAll(/(\/\S+) \(0x/g)].map(([, path]) => path)
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

function run(command, ...args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? stderr}`)
  return stdout.trim()
}
