import { basename } from 'node:path'
import { build } from 'esbuild'

/** The word by which the code of a bundle asks for a part. */
const LOAD = 'loadPart'

/**
 * Returns the text of a bundle in which a module that the sources import with `import()` is text, a part, until it is needed: V8 passes
 * over text several times faster than over code. What two parts import, but not every run, is a part of its own, so that no module is
 * there twice.
 *
 * esbuild splits the sources into files first. Then the files that every run needs become one again, and each other file becomes a
 * function, which gets the exports of other files and returns its own.
 *
 * @param options  of esbuild; `entryPoints` names one file
 * @param banner   is put before the text
 * @throws Error   if esbuild writes imports or exports in another way than this module knows
 */
export async function bundleInParts(options, banner) {
  const files = await split(options)
  const needed = withImports(
    files,
    [...files.values()].find(({ isEntry }) => isEntry),
  )
  const parts = [...files.values()].filter((file) => !needed.has(file))
  const shared = [...needed].filter(({ name }) => parts.some(({ imports }) => imports.has(name)))
  const { outputFiles } = await build({ ...options, entryPoints: ['program'], plugins: [filesOf(needed, shared)] })
  return `${banner}\n${loaderOf(parts)}\n${withLoads(outputFiles[0].text)}`
}

// In place of the end of a comment.
const END = '*__/'

/**
 * Returns the code that gets the exports of a part by its name. The text of a part is a comment in a function, which V8 skips faster than a
 * string. `vm` compiles the text, since `Function` gives traces no name.
 */
function loaderOf(parts) {
  const texts = parts.map((part) => `"${part.name}"(){/*${asComment(part)}*/}`)
  return `const ${LOAD}=(()=>{const texts={${texts.join(',\n')}},textOf=name=>{const text=String(texts[name]);
return text.slice(text.indexOf("/*")+2,-3).replaceAll("${END}","*/")},${LOAD}=name=>${LOAD}[name]??=process.getBuiltinModule("node:vm")
.compileFunction(textOf(name),["${LOAD}","require"],{filename:name})(${LOAD},typeof require==="undefined"?void 0:require);return ${LOAD}})();`
}

function asComment(part) {
  const text = asFunction(part)
  if (text.includes(END)) throw new Error(`${part.name} has a text that stands for the end of a comment`)
  return text.replaceAll('*/', END)
}

/** Splits the sources. Returns files by name, with the names of the files that each imports. */
async function split(options) {
  const { outputFiles, metafile } = await build({
    ...options,
    outdir: '/',
    splitting: true,
    metafile: true,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
  })
  const texts = new Map(outputFiles.map(({ path, text }) => [nameOf(path), text]))
  const files = Object.entries(metafile.outputs).map(([path, { entryPoint, imports }]) => {
    const static_ = imports.filter(({ kind, external }) => kind === 'import-statement' && !external)
    const name = nameOf(path)
    return {
      name,
      text: texts.get(name),
      imports: new Set(static_.map((each) => nameOf(each.path))),
      isEntry: options.entryPoints.includes(entryPoint),
    }
  })
  return new Map(files.map((file) => [file.name, file]))
}

function nameOf(path) {
  return basename(path, '.js')
}

/** Returns a file and all files that it imports, one way or another. */
function withImports(files, file, found = new Set()) {
  if (found.has(file)) return found
  found.add(file)
  for (const name of file.imports) withImports(files, files.get(name), found)
  return found
}

/** Returns a plugin for esbuild that gives the files that every run needs, and has parts find their exports. */
function filesOf(needed, shared) {
  const texts = new Map([...needed].map(({ name, text }) => [name, text]))
  const [{ name: first }] = needed
  texts.set('program', `import"./shared.js";import"./${first}.js"`)
  const imports = shared.map(({ name }, index) => `import*as file${index} from"./${name}.js";`).join('')
  texts.set('shared', `${imports}Object.assign(${LOAD},{${shared.map(({ name }, index) => `"${name}":file${index}`)}})`)
  return {
    name: 'files',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^(program|\.\/.*\.js)$/ }, ({ path, kind }) =>
        kind === 'dynamic-import' ? { path, external: true } : { path: nameOf(path), namespace: 'files' },
      )
      onLoad({ filter: /.*/, namespace: 'files' }, ({ path }) => ({ contents: texts.get(path) }))
    },
  }
}

const IMPORT = /\bimport\s*(?:(\{[^{}]*\}|\*\s*as\s+[\w$]+|[\w$]+)\s*from\s*)?"(\.\/[^"/]*\.js|node:[\w/]+)";/g
const EXPORT = /\bexport\s*(\{[^{}]*\});\s*$/

/** Returns the text of a part as the body of a function. */
function asFunction({ name, text, imports }) {
  const found = new Set()
  const body = text
    .replace(IMPORT, (_, names, path) => {
      if (path.startsWith('./')) found.add(nameOf(path))
      const module = path.startsWith('./') ? `${LOAD}("${nameOf(path)}")` : `process.getBuiltinModule("${path}")`
      if (names === undefined) return `${module};`
      return `const ${names.startsWith('*') ? names.replace(/^\*\s*as\s+/, '') : renamed(names, ':')}=${module};`
    })
    .replace(EXPORT, (_, names) => `return${renamed(names, ':', true)}`)
  if (found.size !== imports.size || /\bexport\s*[{*]/.test(body.slice(-200)))
    throw new Error(`${name} has imports or exports of another form`)
  return `"use strict";${withLoads(body)}`
}

/** Returns `{a as b}` as a pattern `{a:b}`, or as an object `{b:a}`. */
function renamed(names, sign, isObject = false) {
  return names.replace(/([\w$]+)\s+as\s+([\w$]+)/g, (_, from, to) => (isObject ? `${to}${sign}${from}` : `${from}${sign}${to}`))
}

function withLoads(text) {
  return text.replace(/\bimport\(\s*"\.\/([\w-]+)\.js"\s*\)/g, (_, name) => `${LOAD}("${name}")`)
}
