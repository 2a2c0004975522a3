// A QR code, as the server gives it: row by row, 1 is dark.
const svg = (name, attributes) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};

/** The code as a picture: dark on white in every colour scheme, with the quiet zone of four (ISO/IEC 18004). */
export function qrCode(rows, label) {
  const size = rows.length + 8;
  const runs = rows.flatMap((row, y) => [...row.matchAll(/1+/g)].map(({ index, 0: run }) => `M${index + 4} ${y + 4}h${run.length}v1h-${run.length}z`));
  const picture = svg("svg", { class: "qr-code", role: "img", "aria-label": label, viewBox: `0 0 ${size} ${size}`, "shape-rendering": "crispEdges" });
  picture.append(svg("rect", { width: size, height: size, fill: "#fff" }), svg("path", { d: runs.join(""), fill: "#000" }));
  return picture;
}
