package pindrill;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** As much of JSON (RFC 8259) as PinDrill speaks. */
final class Json {
    private final Object value;

    private Json(Object value) {
        this.value = value;
    }

    static Json parse(String text) {
        Parser parser = new Parser(text);
        Object value = parser.value();
        parser.skip();
        if (parser.at < text.length()) throw parser.broken();
        return new Json(value);
    }

    boolean has(String name) {
        return value instanceof Map && ((Map<?, ?>) value).get(name) != null;
    }

    Json at(String name) {
        if (!has(name)) throw new PinDrillException("PinDrill's answer has no '" + name + "'");
        return new Json(((Map<?, ?>) value).get(name));
    }

    /** A string, or a number as it was written; "-" where there is none. */
    String text(String name) {
        return has(name) ? at(name).value.toString() : "-";
    }

    int number(String name) {
        return Integer.parseInt(text(name));
    }

    List<Json> list(String name) {
        return ((List<?>) at(name).value).stream().map(Json::new).collect(Collectors.toList());
    }

    List<String> texts(String name) {
        return list(name).stream().map(one -> one.value.toString()).collect(Collectors.toList());
    }

    static String written(Object value) {
        if (value instanceof Map) {
            return ((Map<?, ?>) value).entrySet().stream()
                    .map(entry -> written(entry.getKey()) + ":" + written(entry.getValue()))
                    .collect(Collectors.joining(",", "{", "}"));
        }
        if (!(value instanceof String)) return value.toString();
        StringBuilder text = new StringBuilder("\"");
        for (char one : ((String) value).toCharArray()) {
            if (one < ' ') text.append(String.format("\\u%04x", (int) one));
            else text.append(one == '"' || one == '\\' ? "\\" : "").append(one);
        }
        return text.append('"').toString();
    }

    private static final class Parser {
        private final String text;
        private int at;

        Parser(String text) {
            this.text = text;
        }

        Object value() {
            switch (peek()) {
                case '{':
                    Map<String, Object> map = new LinkedHashMap<>();
                    for (boolean more = opens('}'); more; more = goesOn('}')) {
                        if (peek() != '"') throw broken();
                        String name = string();
                        take(':');
                        map.put(name, value());
                    }
                    return map;
                case '[':
                    List<Object> list = new ArrayList<>();
                    for (boolean more = opens(']'); more; more = goesOn(']')) list.add(value());
                    return list;
                case '"':
                    return string();
                default:
                    int start = at;
                    while (at < text.length() && "{}[],: \t\r\n".indexOf(text.charAt(at)) < 0) at++;
                    if (at == start) throw broken();
                    String word = text.substring(start, at);
                    return word.equals("null") ? null : word;
            }
        }

        private boolean opens(char end) {
            at++;
            if (peek() != end) return true;
            at++;
            return false;
        }

        private boolean goesOn(char end) {
            boolean more = peek() == ',';
            take(more ? ',' : end);
            return more;
        }

        private void take(char expected) {
            if (peek() != expected) throw broken();
            at++;
        }

        private char peek() {
            skip();
            if (at >= text.length()) throw broken();
            return text.charAt(at);
        }

        void skip() {
            while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
        }

        private String string() {
            StringBuilder result = new StringBuilder();
            for (at++; next() != '"'; at++) {
                if (next() != '\\') {
                    result.append(next());
                    continue;
                }
                at++;
                int plain = "\"\\/bfnrt".indexOf(next());
                if (plain >= 0) {
                    result.append("\"\\/\b\f\n\r\t".charAt(plain));
                } else if (next() == 'u' && at + 4 < text.length()) {
                    result.append((char) Integer.parseInt(text.substring(at + 1, at + 5), 16));
                    at += 4;
                } else {
                    throw broken();
                }
            }
            at++;
            return result.toString();
        }

        private char next() {
            if (at >= text.length()) throw broken();
            return text.charAt(at);
        }

        PinDrillException broken() {
            return new PinDrillException("PinDrill's answer is no JSON, at character " + at);
        }
    }
}
