import { type FileTree, folderTree } from '../folder/file-tree.ts'
import { asRecord, isRecord, type JsonRecord, type JsonValue, lookup, recordsOf, scalarText } from '../json.ts'
import { type ImageFiles, sha256 } from './image-files.ts'
import { filesInLayers, type Layer, removesFromRoot, tarEntriesOf, unpackLayer } from './layer-files.ts'
import { ArchiveError } from './tar.ts'

/** An image of a package, as the package manager pulls it. */
export interface PackageImage {
  /** The name in the archive: a reference, or a tag alone; '' if the archive names none. */
  readonly name: string
  /** The digest by which a registry knows the image; '' in the layout of `docker save`, whose manifest is made at the push. */
  readonly digest: string
  /** True for a bundle of imgpkg, by the label of its configuration. */
  readonly isBundle: boolean
  /** Returns the bytes of `package.yaml`; undefined for an image without one. @throws ArchiveError when a part of the image is refused */
  packageYaml(): Buffer | undefined
  /** Returns a folder of the image as its layers leave it; undefined if no file is in it. @throws ArchiveError for a link in it */
  folder(path: string): FileTree | undefined
}

/** The stream of objects in a package. */
export const PACKAGE_YAML = 'package.yaml'
const OCI_INDEX = 'index.json'
const DOCKER_MANIFEST = 'manifest.json'
/** Marks the layer that holds `package.yaml`, as an annotation of the layer or in the key of a label (Crossplane, xpkg specification). */
const XPKG = 'io.crossplane.xpkg'

/** The most bytes of a manifest that registries must take (OCI distribution specification). */
const LARGEST_JSON = 4 * 1024 * 1024
/** Crossplane reads no larger package.yaml. */
const LARGEST_PACKAGE = 200 * 1024 * 1024
/** A layer may have as many bytes packed as its largest package.yaml has unpacked, and so may all layers of a bundle together. */
const LARGEST_LAYER = LARGEST_PACKAGE + 1024 * 1024
const MOST_IMAGES = 100
const MOST_LAYERS = 1000
/** The label of a bundle of imgpkg. */
const BUNDLE = 'dev.carvel.imgpkg.bundle'

/** Returns true if files are an image: in the layout of OCI, or of `docker save`. */
export function isImage(files: ImageFiles): boolean {
  return files.has(OCI_INDEX) || files.has(DOCKER_MANIFEST)
}

/**
 * Returns the images of an archive or folder. Both layouts may be there, as newer versions of docker write them; that of OCI has digests
 * and comes first.
 *
 * @throws ArchiveError for a damaged layout
 */
export function readImages(files: ImageFiles): readonly PackageImage[] {
  const images = files.has(OCI_INDEX) ? ociImages(files) : dockerImages(files)
  if (images.length === 0) throw new ArchiveError('must hold an image, holds none')
  if (images.length > MOST_IMAGES) throw new ArchiveError(`must hold at most ${MOST_IMAGES} images, holds ${images.length}`)
  return images
}

function ociImages(files: ImageFiles): PackageImage[] {
  const index = readJson(files, OCI_INDEX)
  return recordsIn(index, 'manifests').map((descriptor) => {
    const layers = () => ociLayers(files, manifestOf(files, descriptor, OCI_INDEX))
    return {
      name: annotation(descriptor, 'io.containerd.image.name') || annotation(descriptor, 'org.opencontainers.image.ref.name'),
      digest: digestOf(descriptor, OCI_INDEX),
      get isBundle() {
        const config = recordIn(manifestOf(files, descriptor, OCI_INDEX), 'config')
        if (lookup(config, 'digest') === undefined) return false
        return isLabelled(parseJson(readBlob(files, config, 'the manifest', LARGEST_JSON), blobPath(digestOf(config, 'the manifest'))))
      },
      ...contentsOf(layers),
    }
  })
}

/** Returns what is read of layers when it is asked for. */
function contentsOf(layers: () => readonly Layer[]): Pick<PackageImage, 'packageYaml' | 'folder'> {
  return {
    packageYaml: () => packageYamlIn(layers()),
    folder: (path) => {
      const found = filesInLayers(layers(), path, LARGEST_LAYER)
      return found.size === 0 ? undefined : folderTree(found.keys(), (file) => found.get(file) ?? Buffer.alloc(0))
    },
  }
}

function isLabelled(config: JsonRecord): boolean {
  return lookup(recordIn(recordIn(config, 'config'), 'Labels'), BUNDLE) !== undefined
}

const INDEX_TYPES = ['application/vnd.oci.image.index.v1+json', 'application/vnd.docker.distribution.manifest.list.v2+json']

/**
 * Returns the manifest of a descriptor. Of an index with several manifests that for linux/amd64 is used, as Crossplane does.
 *
 * @param at  the file of the descriptor
 */
function manifestOf(files: ImageFiles, descriptor: JsonRecord, at: string): JsonRecord {
  const path = blobPath(digestOf(descriptor, at))
  const found = parseJson(readBlob(files, descriptor, at, LARGEST_JSON), path)
  if (!INDEX_TYPES.includes(scalarText(lookup(descriptor, 'mediaType'))) && lookup(found, 'manifests') === undefined) return found
  const manifests = recordsIn(found, 'manifests')
  const chosen =
    manifests.length === 1 ? manifests[0] : (manifests.find(isUsual) ?? manifests.find(({ platform }) => platform !== undefined))
  if (chosen === undefined) throw new ArchiveError(`'${path}' must list a manifest, lists ${manifests.length} and none for linux/amd64`)
  const manifest = parseJson(readBlob(files, chosen, path, LARGEST_JSON), blobPath(digestOf(chosen, path)))
  if (lookup(manifest, 'manifests') !== undefined) throw new ArchiveError(`'${path}' must list manifests, lists an index`)
  return manifest
}

function isUsual(descriptor: JsonRecord): boolean {
  const platform = lookup(descriptor, 'platform')
  return isRecord(platform) && lookup(platform, 'os') === 'linux' && lookup(platform, 'architecture') === 'amd64'
}

function ociLayers(files: ImageFiles, manifest: JsonRecord): Layer[] {
  return recordsIn(manifest, 'layers').map((descriptor) => {
    const path = blobPath(digestOf(descriptor, 'the manifest'))
    return {
      path,
      isBase: annotation(descriptor, XPKG) === 'base',
      unpack: () => unpackLayer(readBlob(files, descriptor, 'the manifest', LARGEST_LAYER), path, LARGEST_LAYER),
    }
  })
}

/** Returns the bytes of a blob. @throws ArchiveError when the blob has another size or digest than its descriptor says */
function readBlob(files: ImageFiles, descriptor: JsonRecord, at: string, most: number): Buffer {
  const digest = digestOf(descriptor, at)
  const bytes = files.read(blobPath(digest), most)
  const size = lookup(descriptor, 'size')
  if (size !== undefined && size !== bytes.length)
    throw new ArchiveError(`'${blobPath(digest)}' must have the ${scalarText(size)} bytes that ${at} says, has ${bytes.length}`)
  return verified(bytes, digest, blobPath(digest))
}

function verified(bytes: Buffer, digest: string, path: string): Buffer {
  const found = sha256(bytes)
  if (found !== digest) throw new ArchiveError(`'${path}' must have the digest ${digest}, has ${found}`)
  return bytes
}

/**
 * Returns the images in the layout of `docker save`, which `crossplane xpkg build` writes. The configuration, whose digest is its name,
 * lists the digests of the unpacked layers.
 */
function dockerImages(files: ImageFiles): PackageImage[] {
  const manifest = parseJsonValue(files.read(DOCKER_MANIFEST, LARGEST_JSON), DOCKER_MANIFEST)
  if (!Array.isArray(manifest)) throw new ArchiveError(`'${DOCKER_MANIFEST}' must be a list of images`)
  return manifest.filter(isRecord).flatMap((image) => {
    const named = textsIn(image, 'RepoTags')
    return (named.length === 0 ? [''] : named).map((name) => ({
      name,
      digest: '',
      get isBundle() {
        return isLabelled(dockerConfig(files, image))
      },
      ...contentsOf(() => dockerLayers(files, image)),
    }))
  })
}

function dockerConfig(files: ImageFiles, image: JsonRecord): JsonRecord {
  const path = scalarText(lookup(image, 'Config'))
  const bytes = files.read(path, LARGEST_JSON)
  const [hex] = /[0-9a-f]{64}/.exec(path) ?? []
  return parseJson(hex === undefined ? bytes : verified(bytes, `sha256:${hex}`, path), path)
}

function dockerLayers(files: ImageFiles, image: JsonRecord): Layer[] {
  const configPath = scalarText(lookup(image, 'Config'))
  const config = dockerConfig(files, image)
  const diffIds = textsIn(recordIn(config, 'rootfs'), 'diff_ids')
  const labels = recordIn(recordIn(config, 'config'), 'Labels')
  const paths = textsIn(image, 'Layers')
  if (paths.length !== diffIds.length)
    throw new ArchiveError(`'${configPath}' must list a digest for each of the ${paths.length} layers, lists ${diffIds.length}`)
  return paths.map((path, i) => {
    const digest = `sha256:${/[0-9a-f]{64}/.exec(path)?.[0] ?? ''}`
    return {
      path,
      isBase: lookup(labels, `${XPKG}:${digest}`) === 'base',
      unpack: () => verified(unpackLayer(files.read(path, LARGEST_LAYER), path, LARGEST_LAYER), diffIds[i] ?? '', path),
    }
  })
}

/**
 * Returns the bytes of package.yaml: of the base layer, else of the topmost layer with one. A file that an upper layer removes
 * is not there (OCI, whiteouts).
 */
function packageYamlIn(layers: readonly Layer[]): Buffer | undefined {
  if (layers.length > MOST_LAYERS) throw new ArchiveError(`must have at most ${MOST_LAYERS} layers, has ${layers.length}`)
  const [base, ...others] = layers.filter(({ isBase }) => isBase)
  if (others.length > 0) throw new ArchiveError(`must have one layer with the annotation '${XPKG}: base', has ${others.length + 1}`)
  for (const layer of base === undefined ? layers.toReversed() : [base]) {
    const found = packageYamlOf(layer)
    if (found === 'removed') break
    if (found !== undefined) return found
  }
  if (base !== undefined) throw new ArchiveError(`must have '${PACKAGE_YAML}' in the root of layer '${base.path}', has none`)
  return undefined
}

function packageYamlOf(layer: Layer): Buffer | 'removed' | undefined {
  const { path } = layer
  const bytes = layer.unpack()
  const entries = tarEntriesOf(layer, bytes)
  const named = entries.filter((entry) => entry.path === PACKAGE_YAML)
  const [file] = named
  if (file === undefined) return removesFromRoot(entries, PACKAGE_YAML) ? 'removed' : undefined
  if (named.length > 1) throw new ArchiveError(`'${path}' must have '${PACKAGE_YAML}' once, has it ${named.length} times`)
  if (file.type !== 'file')
    throw new ArchiveError(`'${PACKAGE_YAML}' in '${path}' must be a file, is ${file.type === 'link' ? 'a link' : 'none'}`)
  const first = entries.find((entry) => entry.path.endsWith(`/${PACKAGE_YAML}`) && entry.offset < file.offset)
  if (first !== undefined)
    throw new ArchiveError(`'${path}' must not have '${first.path}' before '${PACKAGE_YAML}': Crossplane reads the first of that name`)
  return bytes.subarray(file.offset, file.offset + file.size)
}

function blobPath(digest: string): string {
  return `blobs/${digest.replace(':', '/')}`
}

function digestOf(descriptor: JsonRecord, at: string): string {
  const digest = scalarText(lookup(descriptor, 'digest'))
  if (!/^sha256:[0-9a-f]{64}$/.test(digest))
    throw new ArchiveError(`\`digest\` in ${at} must be sha256: and 64 hex digits, got '${digest}'`)
  return digest
}

function annotation(descriptor: JsonRecord, key: string): string {
  return scalarText(lookup(recordIn(descriptor, 'annotations'), key))
}

function readJson(files: ImageFiles, path: string): JsonRecord {
  return parseJson(files.read(path, LARGEST_JSON), path)
}

function parseJson(bytes: Buffer, path: string): JsonRecord {
  const value = parseJsonValue(bytes, path)
  if (!isRecord(value)) throw new ArchiveError(`'${path}' must be a JSON object`)
  return value
}

function parseJsonValue(bytes: Buffer, path: string): JsonValue {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    throw new ArchiveError(`'${path}' must be JSON`)
  }
}

function recordIn(record: JsonRecord, key: string): JsonRecord {
  return asRecord(lookup(record, key))
}

function recordsIn(record: JsonRecord, key: string): readonly JsonRecord[] {
  return recordsOf(lookup(record, key))
}

function textsIn(record: JsonRecord, key: string): readonly string[] {
  const value = lookup(record, key)
  return Array.isArray(value) ? value.flatMap((each: JsonValue) => (typeof each === 'string' ? [each] : [])) : []
}
