"""The raster's own rules as shaders: same pieces, same weights, same bloom, same tone (LH 3.11).

Written once for GLSL 330 and GLSL 300 es; every number comes from `display`, so that the two
renderers cannot drift apart.
"""

from typing import Final

from holodesk.display import beads, bloom, mesh, stamps

TAPS: Final = 24
"""The most taps of half a blur."""


def header(*, es: bool) -> str:
    """What stands before every shader."""
    if es:
        return "#version 300 es\nprecision highp float;\nprecision highp int;\n"
    return "#version 330 core\n"


_SHADE: Final = f"""
uniform mat4 camera;
uniform vec3 toward;
uniform vec2 origin;
uniform vec2 field;
uniform float first_row;
uniform float all_rows;
uniform float unit_px;
uniform float light;

float shaded(float depth, vec3 normal) {{
    float shade = clamp(1.0 + {beads.DEPTH_CUE:.6f} * depth,
                        {beads.FAINTEST:.6f}, {beads.BRIGHTEST:.6f});
    if (dot(abs(normal), vec3(1.0)) > 0.0) {{
        float facing = (dot(normal, toward) + {beads.TURN_AWAY[0]:.6f}) / {beads.TURN_AWAY[1]:.6f};
        shade *= clamp(facing, 0.0, 1.0);
    }}
    return shade;
}}

vec4 on_field(vec2 at, float depth) {{
    vec2 place = vec2(at.x / field.x, (at.y + first_row) / all_rows);
    return vec4(place * 2.0 - 1.0, -depth / 8.0, 1.0);
}}
"""

_PIECE: Final = """
layout(location = 0) in vec3 at_a;
layout(location = 1) in vec3 at_b;
layout(location = 2) in vec3 at_before;
layout(location = 3) in vec3 at_after;
layout(location = 4) in vec3 colour;
layout(location = 5) in vec3 normal;
layout(location = 6) in vec4 more;

vec2 pixel(vec4 seen) { return seen.xy / seen.w - origin; }

vec2 corner() {
    return vec2((gl_VertexID & 1) == 0 ? -1.0 : 1.0, (gl_VertexID & 2) == 0 ? -1.0 : 1.0);
}
"""

CORE_VERTEX: Final = (
    _SHADE
    + _PIECE
    + f"""
out vec2 where;
flat out vec4 shape;
flat out vec2 bend;
flat out vec3 glowing;

float half_turn(vec2 one, vec2 two) {{
    float turn = (one.x * two.y - one.y * two.x) / max(1.0 + dot(one, two), 1e-3);
    return clamp(turn, -{beads.SHARPEST:.6f}, {beads.SHARPEST:.6f});
}}

vec2 way(vec2 one, vec2 two) {{
    vec2 step = two - one;
    return step / max(length(step), 1e-6);
}}

void main() {{
    vec4 a = camera * vec4(at_a, 1.0), b = camera * vec4(at_b, 1.0);
    vec2 pa = pixel(a), pb = pixel(b);
    float shade = shaded(a.z, normal);
    float size = length(pb - pa), wide = more.x * unit_px / a.w;
    bool disc = more.w > 0.5;
    vec2 along = disc || size < 1e-6 ? vec2(1.0, 0.0) : way(pa, pb);
    bend = vec2(0.0);
    if (!disc) {{
        vec2 before = pixel(camera * vec4(at_before, 1.0));
        vec2 after = pixel(camera * vec4(at_after, 1.0));
        if (at_before != at_a) bend.x = half_turn(way(before, pa), along);
        if (at_after != at_b) bend.y = half_turn(along, way(pb, after));
    }}
    float reach = wide + 0.5;
    float slant = reach * max(abs(bend.x), abs(bend.y));
    vec2 span = disc ? vec2(reach) : vec2(size * 0.5 + 0.5 + slant, reach);
    where = corner() * span;
    shape = vec4(size, wide, disc ? 1.0 : 0.0, 0.0);
    glowing = colour * (shade * light);
    vec2 across = vec2(-along.y, along.x);
    vec2 at = (pa + pb) * 0.5 + along * where.x + across * where.y;
    bool seen = a.w > 0.05 && b.w > 0.05 && more.z > 0.0;
    float most = max(colour.r, max(colour.g, colour.b)) * shade;
    gl_Position = seen && most > {beads.INVISIBLE:.6f}
        ? on_field(at, a.z + {mesh.BIAS:.6f}) : vec4(2.0, 2.0, 2.0, 1.0);
}}
"""
)

CORE_FRAGMENT: Final = f"""
in vec2 where;
flat in vec4 shape;
flat in vec2 bend;
flat in vec3 glowing;
out vec4 lit;

void main() {{
    float size = shape.x, wide = shape.y;
    float away = shape.z > 0.5 ? length(where) : abs(where.y);
    float thin = min(wide * 2.0, 1.0);
    float slope = thin / max(wide * {stamps.SOFT:.6f}, 1.0);
    float weight = clamp((wide + 0.5 - away) * slope, 0.0, thin);
    if (shape.z < 0.5) {{
        float left = min(-where.x - where.y * bend.y, where.x - where.y * bend.x);
        weight *= clamp(left + size * 0.5 + 0.5, 0.0, min(size, 1.0));
    }}
    lit = vec4(glowing * weight, 1.0);
}}
"""

SEED_VERTEX: Final = (
    _SHADE
    + _PIECE
    + f"""
uniform float cell;
out vec2 where;
flat out vec3 glowing;

void main() {{
    vec4 a = camera * vec4(at_a, 1.0), b = camera * vec4(at_b, 1.0);
    vec2 pa = pixel(a), pb = pixel(b);
    float wide = more.x * unit_px / a.w;
    float area = more.w > 0.5 ? 3.14159265 * wide * wide : 2.0 * wide * length(pb - pa);
    float shade = shaded(a.z, normal);
    glowing = colour * (shade * light * more.y * area / (cell * cell));
    where = corner();
    bool seen = a.w > 0.05 && b.w > 0.05;
    float most = max(colour.r, max(colour.g, colour.b)) * shade;
    gl_Position = seen && most > {beads.INVISIBLE:.6f}
        ? on_field((pa + pb) * 0.5 / cell + where, 0.0) : vec4(2.0, 2.0, 2.0, 1.0);
}}
"""
)

SEED_FRAGMENT: Final = """
in vec2 where;
flat in vec3 glowing;
out vec4 lit;

void main() {
    vec2 share = max(1.0 - abs(where), 0.0);
    lit = vec4(glowing * share.x * share.y, 1.0);
}
"""

DOT_VERTEX: Final = """
layout(location = 0) in vec2 at;
layout(location = 1) in vec3 colour;
uniform vec2 whole;
uniform float light;
flat out vec3 glowing;

void main() {
    glowing = colour * light;
    gl_PointSize = 1.0;
    gl_Position = vec4((at + 0.5) / whole * 2.0 - 1.0, -1.0, 1.0);
}
"""

DOT_FRAGMENT: Final = """
flat in vec3 glowing;
out vec4 lit;

void main() { lit = vec4(glowing, 1.0); }
"""

FACET_VERTEX: Final = (
    _SHADE
    + f"""
layout(location = 0) in vec3 at;
layout(location = 1) in vec3 colour;
layout(location = 2) in vec3 normal;
layout(location = 3) in vec3 middle;
flat out vec3 glowing;

void main() {{
    vec4 seen = camera * vec4(at, 1.0);
    float facing = abs(dot(normal, toward));
    float deep = (camera * vec4(middle, 1.0)).z;
    float near = clamp(1.0 + {beads.DEPTH_CUE:.6f} * deep,
                       {beads.FAINTEST:.6f}, {beads.BRIGHTEST:.6f});
    float shade = ({mesh.AMBIENT:.6f} + (1.0 - {mesh.AMBIENT:.6f}) * facing) * near;
    glowing = colour * (shade * light);
    vec4 place = on_field(seen.xy / seen.w - origin, seen.z);
    gl_Position = seen.w > 0.05 ? place : vec4(2.0, 2.0, 2.0, 1.0);
}}
"""
)

WHOLE_VERTEX: Final = """
void main() {
    vec2 corner = vec2((gl_VertexID & 1) == 0 ? -1.0 : 1.0, (gl_VertexID & 2) == 0 ? -1.0 : 1.0);
    gl_Position = vec4(corner, 0.0, 1.0);
}
"""

HALVE_FRAGMENT: Final = """
uniform sampler2D source;
out vec4 lit;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy) * 2;
    lit = 0.25 * (texelFetch(source, at, 0) + texelFetch(source, at + ivec2(1, 0), 0)
        + texelFetch(source, at + ivec2(0, 1), 0) + texelFetch(source, at + ivec2(1, 1), 0));
}
"""

BLUR_FRAGMENT: Final = f"""
uniform sampler2D source;
uniform int rows;
uniform int columns;
uniform ivec2 step;
uniform int count;
uniform float taps[{TAPS}];
out vec4 lit;

void main() {{
    ivec2 at = ivec2(gl_FragCoord.xy);
    int low = (at.y / rows) * rows;
    lit = texelFetch(source, at, 0) * taps[0];
    for (int k = 1; k < count; k++) {{
        for (int side = -1; side < 2; side += 2) {{
            ivec2 from = at + step * (k * side);
            if (from.x >= 0 && from.x < columns && from.y >= low && from.y < low + rows)
                lit += texelFetch(source, from, 0) * taps[k];
        }}
    }}
}}
"""

SHOW_VERTEX: Final = """
uniform vec2 origin;
uniform vec2 field;
uniform vec2 screen;
out vec2 place;

void main() {
    vec2 corner = vec2(float(gl_VertexID & 1), float((gl_VertexID >> 1) & 1));
    place = corner * field;
    vec2 at = (origin + place) / screen;
    gl_Position = vec4(at.x * 2.0 - 1.0, 1.0 - at.y * 2.0, 0.0, 1.0);
}
"""

SHOW_FRAGMENT: Final = f"""
uniform sampler2D core;
uniform sampler2D near;
uniform sampler2D wide;
uniform sampler2D owned;
uniform sampler2D feather;
uniform vec2 field;
uniform float first_row;
uniform float all_rows;
uniform float gain;
uniform vec2 tone;
in vec2 place;
out vec4 lit;

void main() {{
    ivec2 at = ivec2(int(place.x), int(place.y + first_row));
    vec2 coarse = vec2(place.x / field.x, (place.y + first_row) / all_rows);
    vec3 bloom = {bloom.NEAR_SHARE:.6f} * texture(near, coarse).rgb
        + {bloom.WIDE_SHARE:.6f} * texture(wide, coarse).rgb;
    vec3 light = texelFetch(core, at, 0).rgb + bloom * texture(feather, coarse).r;
    float share = texelFetch(owned, at, 0).r;
    vec3 level = 1.0 - exp(-light * (gain * share));
    if (tone != vec2(0.0, 1.0)) {{
        vec3 above = max(floor(level * 255.0 + 0.5) - tone.x, 0.0) / (255.0 - tone.x);
        level = pow(above, vec3(tone.y));
    }}
    lit = vec4(level * step(0.001, share), 1.0);
}}
"""
