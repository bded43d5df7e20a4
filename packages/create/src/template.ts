/** A kind of project that `npm create` can make. */
export interface Template {
  /** The command after `npm create`, such as `fairlead-app`. */
  readonly command: string
  /** The project that it makes, for the help. */
  readonly summary: string
  /** A name for messages, such as `my-app`. */
  readonly example: string
  /** The folder with the package.json of the command, and with the files of the project in `template`. */
  readonly folder: URL
  /** The name of the package, and of its folder, for the name that was asked for. */
  packageName(name: string): string
  /** Writes the names of the project into a path or the text of a file. */
  rename(text: string, name: string): string
  /** The files to change first, one line each. */
  readonly nextSteps: readonly string[]
}
