import { linkAliases } from '../../read/alias-targets.ts'
import type { Node } from '../../read/node.ts'
import { readYaml } from '../../read/yaml-reader.ts'
import { type EditTree, treeChild } from '../tree.ts'

/** Returns the root node of a text, with the values of its aliases. */
export function linkedRoot(text: string): Node {
  const root = readYaml(text)
  linkAliases(root)
  return root
}

/** Returns the tree at a path. @throws Error  when there is none */
export function treeAt(root: EditTree, ...path: readonly (string | number)[]): EditTree {
  let tree: EditTree | undefined = root
  for (const step of path) tree = tree && treeChild(tree, step)
  if (tree === undefined) throw new Error(`nothing at ${path.join('.')}`)
  return tree
}
