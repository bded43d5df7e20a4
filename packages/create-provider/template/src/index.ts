/** A Fairlead provider of Quill's models. */
export { quill, type QuillOptions } from './quill.ts'
