/** The part of a pdfkit document that writes its metadata. */
interface MetadataWriter {
  info: PDFKit.DocumentInfo;
  endMetadata(): void;
}

/** Escapes what pdfkit 0.20 copies into XMP as it is: a title with `&` or `<` would break the XML. */
export function escapeMetadata(document: MetadataWriter): void {
  const write = document.endMetadata.bind(document);
  document.endMetadata = () => {
    // The information dictionary has been written by now, unescaped as it must be.
    for (const key of ['Title', 'Author', 'Keywords'] as const) {
      const value = document.info[key];
      if (value !== undefined) document.info[key] = escapeXml(value);
    }
    write();
  };
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
